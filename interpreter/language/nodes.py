"""The syntax tree of one sentence: frozen nodes with a place and no behaviour.

Enters: nothing. Leaves: the node types. `start` and `end` are character offsets in the text that was
parsed; whoever owns the text (a YAML scalar) turns them into places of the file. Knows nothing of YAML,
of names that exist, or of games.
"""

from __future__ import annotations

from fractions import Fraction

from interpreter.source.values import value


@value()
class Node:
    start: int
    end: int


@value()
class Name(Node):
    text: str


# ---- expressions ---------------------------------------------------------------------------------
@value()
class Number(Node):
    value: int


@value()
class Inches(Node):
    value: Fraction


@value()
class Target(Node):
    """A number to beat: `4+`."""

    value: int


@value()
class Dice(Node):
    """`d6`, `2d6`, in a cell also `d6+1`; `2d6"` is so many inches."""

    count: int
    sides: int
    plus: int = 0
    inches: bool = False


@value()
class Truth(Node):
    value: bool


@value()
class Absent(Node):
    """`none`, or `-` in a cell."""


@value()
class Part(Node):
    name: str
    args: tuple[Expr, ...] | None


@value()
class Path(Node):
    parts: tuple[Part, ...]


@value()
class Group(Node):
    """`( … )` with an optional path behind it."""

    inner: Expr
    parts: tuple[Part, ...]


@value()
class Given(Node):
    name: str
    value: Expr


@value()
class Made(Node):
    kind: Name
    given: tuple[Given, ...]


@value()
class Pool(Node):
    """`E dice`: so many of the file's ordinary dice."""

    count: Expr


@value()
class Banded(Node):
    """`CELL at DISTANCE`."""

    cell: Expr
    at: Expr


@value()
class Calc(Node):
    op: str
    left: Expr
    right: Expr


@value()
class Barred(Node):
    """`dice except face`."""

    dice: Expr
    face: Expr


@value()
class Lots(Node):
    """`count of items at random`."""

    count: Expr
    items: Expr


@value()
class Counting(Node):
    """`left passing|failing|meeting|missing right`."""

    how: str
    left: Expr
    right: Expr


@value()
class Compare(Node):
    op: str
    left: Expr
    right: Expr


@value()
class Same(Node):
    left: Expr
    right: Expr
    negated: bool


@value()
class IsA(Node):
    left: Expr
    kind: Name
    negated: bool


@value()
class Extreme(Node):
    """`E is least`, `E is most`: the whole condition of a `where`."""

    value: Expr
    most: bool


@value()
class Member(Node):
    left: Expr
    right: Expr
    negated: bool


@value()
class Wishes(Node):
    who: Path
    usually: tuple[Preference, ...]


@value()
class Tests(Node):
    subject: Expr
    passes: bool
    roll: Expr


@value()
class Quantified(Node):
    some: bool
    items: Expr


@value()
class Every(Node):
    """`all items are condition`."""

    items: Expr
    condition: Expr


@value()
class Not(Node):
    inner: Expr


@value()
class And(Node):
    left: Expr
    right: Expr


@value()
class Or(Node):
    left: Expr
    right: Expr


@value()
class Where(Node):
    items: Expr
    alias: Name | None
    condition: Expr


@value()
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


@value()
class Keyword(Node):
    """`most`, `fewest`, `yes` or `no` as a preference."""

    word: str


Preference = Keyword | Expr


@value()
class Policy(Node):
    """How a choice is made: how many, then what is taken first."""

    wishes: tuple[Preference, ...]


# ---- choices and statements --------------------------------------------------------------------------
@value()
class Pick(Node):
    who: Path
    up_to: bool
    count: Expr
    source: Expr
    usually: tuple[Preference, ...]


@value()
class PickNumber(Node):
    who: Path
    low: Expr
    high: Expr
    usually: tuple[Preference, ...]


@value()
class Change(Node):
    """`subject gains|loses amount what`; `amount` alone is a mark or a collection's name, without it all are lost."""

    subject: Expr
    gains: bool
    amount: Expr | None
    what: Name | None


@value()
class Deals(Node):
    """`who deals amount what evenly by measure to items usually …`: a number on their cards, shared out."""

    who: Path
    amount: Expr
    what: Name
    measure: Expr | None
    items: Expr
    usually: tuple[Preference, ...]


@value()
class Leaves(Node):
    subject: Expr


@value()
class Becomes(Node):
    subject: Expr
    value: Expr | Pick | PickNumber


@value()
class Way(Node):
    kind: str
    goal: Expr | None


@value()
class Moves(Node):
    subject: Expr
    up_to: bool
    amount: Expr | None
    way: Way | None


@value()
class Prepositional(Node):
    word: str
    value: Expr


@value()
class Does(Node):
    """`subject VERB arguments`: a procedure of the game, called."""

    subject: Expr
    verb: Name
    args: tuple[Expr, ...]
    prepositional: tuple[Prepositional, ...]


@value()
class Umpire(Node):
    question: str


@value()
class Nothing(Node):
    pass


Action = Expr | Pick | PickNumber | Change | Deals | Leaves | Becomes | Moves | Does | Umpire | Nothing
Cites = tuple[Name, ...]


@value()
class Line(Node):
    action: Action
    cites: Cites


# ---- keys of lines --------------------------------------------------------------------------------------
@value()
class If(Node):
    condition: Expr


@value()
class Otherwise(Node):
    pass


@value()
class Together(Node):
    pass


@value()
class By(Node):
    value: Expr


@value()
class ForEach(Node):
    name: Name
    items: Expr


@value()
class RepeatUntil(Node):
    limit: Expr | None
    condition: Expr


@value()
class RepeatTimes(Node):
    times: Expr


@value()
class PicksOne(Node):
    who: Path
    usually: tuple[Preference, ...]


@value()
class DealsOut(Node):
    """`who deals name evenly usually … from pool usually …` behind a `for each`: the name holds each one's share."""

    who: Path
    name: Name
    favoured: tuple[Preference, ...]
    pool: Expr
    usually: tuple[Preference, ...]


Clause = If | Otherwise | Together | By | ForEach | RepeatUntil | RepeatTimes | PicksOne | DealsOut


@value()
class LineKey(Node):
    name: Name
    clauses: tuple[Clause, ...]
    cites: Cites


@value()
class Case(Node):
    """A range of faces (None is an open end) or a word."""

    low: int | None
    high: int | None
    word: str | None


@value()
class CaseKey(Node):
    cases: tuple[Case, ...]
    name: Name | None
    clauses: tuple[Clause, ...]
    cites: Cites


# ---- one-line bodies ---------------------------------------------------------------------------------------
@value()
class Signed(Node):
    """`+ E` or `- E` of a modifier."""

    sign: int
    amount: Expr


@value()
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


@value()
class AttributeType(Node):
    """what: `one of`, `many`, `a`, `number`, `inches`, `yes or no`."""

    what: str
    of: Name | None
    low: Expr | None
    high: Expr | None
    optional: bool
    first: Expr | None
    cites: Cites


@value()
class Words(Node):
    """A cell of one or more words: marks, or the name of a row elsewhere."""

    names: tuple[Name, ...]


@value()
class Named(Node):
    """A cell that names its column: `jam 2`."""

    name: Name
    value: Cell


@value()
class Band(Node):
    """Near and far: `12"/24"` or `2/1`."""

    values: tuple[Fraction, ...]
    inches: bool


Cell = Absent | Words | Named | Number | Target | Inches | Band | Dice


@value()
class Row(Node):
    cells: tuple[Cell, ...]
    cites: Cites


@value()
class WordList(Node):
    names: tuple[Name, ...]
    cites: Cites


@value()
class Moment(Node):
    """`before|after|during|instead of` a path, for the thing that plays the part `role` there. `after_next`: of a mark,
    after what has not begun yet when it is gained.
    """

    when: str
    path: Path
    role: Name | None
    after_next: bool = False


@value()
class Limit(Node):
    count: Expr
    per: Name


@value()
class Ending(Node):
    """How a mark ends: moments (with a condition), out of play, or never."""

    moments: tuple[Moment, ...]
    condition: Expr | None
    out_of_play: bool
    limit: Limit | None
    cites: Cites


@value()
class Convention(Node):
    die: Dice
    over: bool
    always: int | None
    never: int | None
    cites: Cites


@value()
class Options(Node):
    options: tuple[Cell, ...]
    cites: Cites


# ---- titles -----------------------------------------------------------------------------------------------------
@value()
class Parameter(Node):
    """`unit`, `target unit` (name, kind), `unsaved number`, `shots by range` (banded by another column)."""

    name: Name
    kind: Name | None
    by: Name | None
    word: str | None = None


@value()
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
@value()
class Trait(Node):
    """what: `count` (so many of a kind), `word` (a row or a mark), `is` (a name and its value), `not` (no mark)."""

    what: str
    name: Name
    value: Cell | None


@value()
class Thing(Node):
    traits: tuple[Trait, ...]


@value()
class StatedFact(Node):
    path: Path
    value: Expr | None
    negated: bool


@value()
class Stated(Node):
    facts: tuple[StatedFact, ...]


@value()
class Throw(Node):
    path: Path
    faces: tuple[int, ...]


@value()
class Throws(Node):
    throws: tuple[Throw, ...]


@value()
class OddsOf(Node):
    """`least` and `greatest` are the same where no band is stated."""

    least: Fraction
    greatest: Fraction
    mean: bool
    value: Expr
