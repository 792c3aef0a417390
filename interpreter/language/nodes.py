"""The syntax tree of one sentence: frozen nodes with a place and no behaviour.

Enters: nothing. Leaves: the node types. `start` and `end` are character offsets in the text that was
parsed; whoever owns the text (a YAML scalar) turns them into places of the file. Knows nothing of YAML,
of names that exist, or of games.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Node:
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Name(Node):
    text: str


# ---- expressions ---------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Number(Node):
    value: int


@dataclass(frozen=True, slots=True)
class Inches(Node):
    value: Fraction


@dataclass(frozen=True, slots=True)
class Target(Node):
    """A number to beat: `4+`."""

    value: int


@dataclass(frozen=True, slots=True)
class Dice(Node):
    """`d6`, `2d6`, in a cell also `d6+1`; `2d6"` is so many inches."""

    count: int
    sides: int
    plus: int = 0
    inches: bool = False


@dataclass(frozen=True, slots=True)
class Truth(Node):
    value: bool


@dataclass(frozen=True, slots=True)
class Absent(Node):
    """`none`, or `-` in a cell."""


@dataclass(frozen=True, slots=True)
class Part(Node):
    name: str
    args: tuple[Expr, ...] | None


@dataclass(frozen=True, slots=True)
class Path(Node):
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Group(Node):
    """`( … )` with an optional path behind it."""

    inner: Expr
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Given(Node):
    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Made(Node):
    kind: Name
    given: tuple[Given, ...]


@dataclass(frozen=True, slots=True)
class Pool(Node):
    """`E dice`: so many of the file's ordinary dice."""

    count: Expr


@dataclass(frozen=True, slots=True)
class Banded(Node):
    """`CELL at DISTANCE`."""

    cell: Expr
    at: Expr


@dataclass(frozen=True, slots=True)
class Calc(Node):
    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Barred(Node):
    """`dice except face`."""

    dice: Expr
    face: Expr


@dataclass(frozen=True, slots=True)
class Lots(Node):
    """`count of items at random`."""

    count: Expr
    items: Expr


@dataclass(frozen=True, slots=True)
class Counting(Node):
    """`left passing|failing|meeting|missing right`."""

    how: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Compare(Node):
    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Same(Node):
    left: Expr
    right: Expr
    negated: bool


@dataclass(frozen=True, slots=True)
class IsA(Node):
    left: Expr
    kind: Name
    negated: bool


@dataclass(frozen=True, slots=True)
class Extreme(Node):
    """`E is least`, `E is most`: the whole condition of a `where`."""

    value: Expr
    most: bool


@dataclass(frozen=True, slots=True)
class Member(Node):
    left: Expr
    right: Expr
    negated: bool


@dataclass(frozen=True, slots=True)
class Wishes(Node):
    who: Path
    usually: tuple[Preference, ...]


@dataclass(frozen=True, slots=True)
class Tests(Node):
    subject: Expr
    passes: bool
    roll: Expr


@dataclass(frozen=True, slots=True)
class Quantified(Node):
    some: bool
    items: Expr


@dataclass(frozen=True, slots=True)
class Every(Node):
    """`all items are condition`."""

    items: Expr
    condition: Expr


@dataclass(frozen=True, slots=True)
class Not(Node):
    inner: Expr


@dataclass(frozen=True, slots=True)
class And(Node):
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Or(Node):
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Where(Node):
    items: Expr
    alias: Name | None
    condition: Expr


@dataclass(frozen=True, slots=True)
class Either(Node):
    value: Expr
    condition: Expr
    other: Expr


Expr = (
    Number
    | Inches
    | Target
    | Dice
    | Truth
    | Absent
    | Path
    | Group
    | Made
    | Pool
    | Banded
    | Calc
    | Counting
    | Compare
    | Same
    | IsA
    | Extreme
    | Member
    | Wishes
    | Tests
    | Quantified
    | Not
    | And
    | Or
    | Where
    | Either
)


@dataclass(frozen=True, slots=True)
class Keyword(Node):
    """`most`, `fewest`, `yes` or `no` as a preference."""

    word: str


Preference = Keyword | Expr


@dataclass(frozen=True, slots=True)
class Policy(Node):
    """How a choice is made: how many, then what is taken first."""

    wishes: tuple[Preference, ...]


# ---- choices and statements --------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Pick(Node):
    who: Path
    up_to: bool
    count: Expr
    source: Expr
    usually: tuple[Preference, ...]


@dataclass(frozen=True, slots=True)
class PickNumber(Node):
    who: Path
    low: Expr
    high: Expr
    usually: tuple[Preference, ...]


@dataclass(frozen=True, slots=True)
class Change(Node):
    """`subject gains|loses amount what`; `amount` alone is a mark or a collection's name, without it all are lost."""

    subject: Expr
    gains: bool
    amount: Expr | None
    what: Name | None


@dataclass(frozen=True, slots=True)
class Deals(Node):
    """`who deals amount what evenly by measure to items usually …`: a number on their cards, shared out."""

    who: Path
    amount: Expr
    what: Name
    measure: Expr | None
    items: Expr
    usually: tuple[Preference, ...]


@dataclass(frozen=True, slots=True)
class Leaves(Node):
    subject: Expr


@dataclass(frozen=True, slots=True)
class Becomes(Node):
    subject: Expr
    value: Expr | Pick | PickNumber


@dataclass(frozen=True, slots=True)
class Way(Node):
    kind: str
    goal: Expr | None


@dataclass(frozen=True, slots=True)
class Moves(Node):
    subject: Expr
    up_to: bool
    amount: Expr | None
    way: Way | None


@dataclass(frozen=True, slots=True)
class Prepositional(Node):
    word: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Does(Node):
    """`subject VERB arguments`: a procedure of the game, called."""

    subject: Expr
    verb: Name
    args: tuple[Expr, ...]
    prepositional: tuple[Prepositional, ...]


@dataclass(frozen=True, slots=True)
class Umpire(Node):
    question: str


@dataclass(frozen=True, slots=True)
class Nothing(Node):
    pass


Action = Expr | Pick | PickNumber | Change | Deals | Leaves | Becomes | Moves | Does | Umpire | Nothing
Cites = tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Line(Node):
    action: Action
    cites: Cites


# ---- keys of lines --------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class If(Node):
    condition: Expr


@dataclass(frozen=True, slots=True)
class Otherwise(Node):
    pass


@dataclass(frozen=True, slots=True)
class Together(Node):
    pass


@dataclass(frozen=True, slots=True)
class By(Node):
    value: Expr


@dataclass(frozen=True, slots=True)
class ForEach(Node):
    name: Name
    items: Expr


@dataclass(frozen=True, slots=True)
class RepeatUntil(Node):
    limit: Expr | None
    condition: Expr


@dataclass(frozen=True, slots=True)
class RepeatTimes(Node):
    times: Expr


@dataclass(frozen=True, slots=True)
class PicksOne(Node):
    who: Path
    usually: tuple[Preference, ...]


@dataclass(frozen=True, slots=True)
class DealsOut(Node):
    """`who deals name evenly usually … from pool usually …` behind a `for each`: the name holds each one's share."""

    who: Path
    name: Name
    favoured: tuple[Preference, ...]
    pool: Expr
    usually: tuple[Preference, ...]


Clause = If | Otherwise | Together | By | ForEach | RepeatUntil | RepeatTimes | PicksOne | DealsOut


@dataclass(frozen=True, slots=True)
class LineKey(Node):
    name: Name
    clauses: tuple[Clause, ...]
    cites: Cites


@dataclass(frozen=True, slots=True)
class Case(Node):
    """A range of faces (None is an open end) or a word."""

    low: int | None
    high: int | None
    word: str | None


@dataclass(frozen=True, slots=True)
class CaseKey(Node):
    cases: tuple[Case, ...]
    name: Name | None
    clauses: tuple[Clause, ...]
    cites: Cites


# ---- one-line bodies ---------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Signed(Node):
    """`+ E` or `- E` of a modifier."""

    sign: int
    amount: Expr


@dataclass(frozen=True, slots=True)
class Adjust(Node):
    """One line of a roll or a value.

    touch: `needs`, `roll` or None. what: `add` (value is Signed), `set`, `least`, `most`, `times`, `best`,
    `worst`, `passes`, `fails` or `again`.
    """

    touch: str | None
    what: str
    value: Signed | Expr | None
    per: Expr | None
    condition: Expr | None
    cites: Cites


@dataclass(frozen=True, slots=True)
class AttributeType(Node):
    """what: `one of`, `many`, `a`, `number`, `inches`, `yes or no`."""

    what: str
    of: Name | None
    low: Expr | None
    high: Expr | None
    optional: bool
    first: Expr | None
    cites: Cites


@dataclass(frozen=True, slots=True)
class Words(Node):
    """A cell of one or more words: marks, or the name of a row elsewhere."""

    names: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Named(Node):
    """A cell that names its column: `jam 2`."""

    name: Name
    value: Cell


@dataclass(frozen=True, slots=True)
class Band(Node):
    """Near and far: `12"/24"` or `2/1`."""

    values: tuple[Fraction, ...]
    inches: bool


Cell = Absent | Words | Named | Number | Target | Inches | Band | Dice


@dataclass(frozen=True, slots=True)
class Row(Node):
    cells: tuple[Cell, ...]
    cites: Cites


@dataclass(frozen=True, slots=True)
class WordList(Node):
    names: tuple[Name, ...]
    cites: Cites


@dataclass(frozen=True, slots=True)
class Moment(Node):
    """`before|after|during|instead of` a path, for the thing that plays the part `role` there. `after_next`: of a mark,
    after what has not begun yet when it is gained.
    """

    when: str
    path: Path
    role: Name | None
    after_next: bool = False


@dataclass(frozen=True, slots=True)
class Limit(Node):
    count: Expr
    per: Name


@dataclass(frozen=True, slots=True)
class Ending(Node):
    """How a mark ends: moments (with a condition), out of play, or never."""

    moments: tuple[Moment, ...]
    condition: Expr | None
    out_of_play: bool
    limit: Limit | None
    cites: Cites


@dataclass(frozen=True, slots=True)
class Convention(Node):
    die: Dice
    over: bool
    always: int | None
    never: int | None
    cites: Cites


@dataclass(frozen=True, slots=True)
class Options(Node):
    options: tuple[Cell, ...]
    cites: Cites


# ---- titles -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Parameter(Node):
    """`unit`, `target unit` (name, kind), `unsaved number`, `shots by range` (banded by another column)."""

    name: Name
    kind: Name | None
    by: Name | None
    word: str | None = None


@dataclass(frozen=True, slots=True)
class Title(Node):
    """The key of a definition: `what` is its first word, the rest as far as that word has it."""

    what: str
    names: tuple[Name, ...]
    of: Name | None = None
    group: Name | None = None
    base: Name | None = None
    through: Name | None = None  # `as unit.save`: whose lines are taken over, seen from the subject
    on: Name | None = None
    params: tuple[Parameter, ...] = ()
    by: Expr | None = None
    condition: Expr | None = None
    each: Name | None = None
    moments: tuple[Moment, ...] = ()
    when: str | None = None  # `add to NAME before LINE`
    anchor: Name | None = None
    cites: Cites = ()

    @property
    def name(self) -> Name:
        return self.names[0]


# ---- situations ---------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Trait(Node):
    """what: `count` (so many of a kind), `word` (a row or a mark), `is` (a name and its value), `not` (no mark)."""

    what: str
    name: Name
    value: Cell | None


@dataclass(frozen=True, slots=True)
class Thing(Node):
    traits: tuple[Trait, ...]


@dataclass(frozen=True, slots=True)
class StatedFact(Node):
    path: Path
    value: Expr | None
    negated: bool


@dataclass(frozen=True, slots=True)
class Stated(Node):
    facts: tuple[StatedFact, ...]


@dataclass(frozen=True, slots=True)
class Throw(Node):
    path: Path
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Throws(Node):
    throws: tuple[Throw, ...]


@dataclass(frozen=True, slots=True)
class OddsOf(Node):
    """`least` and `greatest` are the same where no band is stated."""

    least: Fraction
    greatest: Fraction
    mean: bool
    value: Expr
