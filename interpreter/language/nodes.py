"""The node types of the syntax tree of one sentence: immutable, with offsets, without behaviour.

`start` and `end` are character offsets in the parsed text; the YAML scalar that contains the text maps them to the
file. This module does not know YAML, which names exist, or games.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import takewhile

from interpreter.source.values import Struct, reduce_by_fields


class Node(Struct):
    """A node of the syntax tree. `start` and `end` are offsets in the parsed text; `end` is exclusive."""

    start: int
    end: int

    __reduce__ = reduce_by_fields


class Name(Node, Struct):
    """A name as it is written (`target`, `A`), or one clause of a citation (`41`, `MOD-041`)."""

    text: str


# ---- expressions ---------------------------------------------------------------------------------
class Number(Node, Struct):
    """A whole number: `3`. In a cell, in a value of a thing and as a bound it may have a sign: `-1`."""

    value: int


class Inches(Node, Struct):
    """A distance in inches, exact: `6"` or `2.5"`."""

    value: Fraction


class Target(Node, Struct):
    """A number to beat: `4+`."""

    value: int


class Dice(Node, Struct):
    """`d6`, `2d6`, in a cell also `d6+1`; with `inches`, `2d6"`."""

    count: int
    sides: int
    plus: int = 0
    inches: bool = False


class Truth(Node, Struct):
    """`true` or `false`; in the type of an attribute, the `yes` or `no` behind `first`."""

    value: bool


class Absent(Node, Struct):
    """`none`, or `-` in a cell."""


class Part(Node, Struct):
    """One name of a path, with its arguments in parentheses: `distance(target)`. Without parentheses `args` is None."""

    name: str
    args: tuple[Expr, ...] | None


class Path(Node, Struct):
    """Names joined by dots, each optionally with arguments: `target.owner`, `unit.distance(target)`."""

    parts: tuple[Part, ...]

    @property
    def plain_names(self) -> list[str]:
        """The leading names, up to the first with arguments."""
        return [part.name for part in takewhile(lambda part: part.args is None, self.parts)]


class Group(Node, Struct):
    """`( … )`, optionally followed by a path."""

    inner: Expr
    parts: tuple[Part, ...]


class Given(Node, Struct):
    """An attribute of a thing that is created: `level 3` in `new unit (level 3)`."""

    name: str
    value: Expr


class Made(Node, Struct):
    """`new unit (level 3, from source)`: facts that are not stated for the new thing default to those of `source`."""

    kind: Name
    given: tuple[Given, ...]
    source: Expr | None


class Pool(Node, Struct):
    """`E dice`: that many of the file's ordinary dice."""

    count: Expr


class Banded(Node, Struct):
    """`CELL at DISTANCE`."""

    cell: Expr
    at: Expr


class Related(Node, Struct):
    """`locked with target`: a mark between two things, and the other one."""

    mark: Expr
    word: str
    other: Expr


class Calc(Node, Struct):
    """`left + right`; `op` is `+`, `-`, `*` or `/`."""

    op: str
    left: Expr
    right: Expr


class Barred(Node, Struct):
    """`dice except face`."""

    dice: Expr
    face: Expr


class Lots(Node, Struct):
    """`count of items at random`."""

    count: Expr
    items: Expr


class Counting(Node, Struct):
    """`left passing|failing|meeting|missing right`."""

    how: str
    left: Expr
    right: Expr


class Compare(Node, Struct):
    """`left > right`; `op` is `>=`, `<=`, `>`, `<` or `=`."""

    op: str
    left: Expr
    right: Expr


class Same(Node, Struct):
    """`left is right`, or (`negated`) `left is not right`."""

    left: Expr
    right: Expr
    negated: bool


class IsA(Node, Struct):
    """`target is a unit`, or (`negated`) `target is not a unit`."""

    left: Expr
    kind: Name
    negated: bool


class Extreme(Node, Struct):
    """`E is least`, `E is most`: the whole condition of a `where`."""

    value: Expr
    most: bool


class Member(Node, Struct):
    """`left in right`, or (`negated`) `left not in right`."""

    left: Expr
    right: Expr
    negated: bool


class Wishes(Node, Struct):
    """`owner wishes`, or `owner wishes usually yes`; `usually` is empty, or the keyword `yes` or `no`."""

    who: Path
    usually: tuple[Preference, ...]


class Tests(Node, Struct):
    """`subject passes roll`, or `subject fails roll` if not `passes`."""

    subject: Expr
    passes: bool
    roll: Expr


class Quantified(Node, Struct):
    """`any items` (`some`), or `no items`: whether a collection has members."""

    some: bool
    items: Expr


class Every(Node, Struct):
    """`all items are condition`."""

    items: Expr
    condition: Expr


class Not(Node, Struct):
    """`not inner`."""

    inner: Expr


class And(Node, Struct):
    """`left and right`."""

    left: Expr
    right: Expr


class Or(Node, Struct):
    """`left or right`."""

    left: Expr
    right: Expr


class Where(Node, Struct):
    """`items where condition`; with a name for the member, `items as alias where condition`."""

    items: Expr
    alias: Name | None
    condition: Expr


class Either(Node, Struct):
    """A value by a condition: `2 if near else 1`."""

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
    | Related
    | Calc
    | Barred
    | Lots
    | Counting
    | Compare
    | Same
    | IsA
    | Extreme
    | Member
    | Wishes
    | Tests
    | Quantified
    | Every
    | Not
    | And
    | Or
    | Where
    | Either
)


class Keyword(Node, Struct):
    """`most`, `fewest`, `yes` or `no` as a preference."""

    word: str


Preference = Keyword | Expr


class Policy(Node, Struct):
    """The order of preference of a choice: how many, and then what to take first."""

    wishes: tuple[Preference, ...]


# ---- choices and statements --------------------------------------------------------------------------
class Pick(Node, Struct):
    """`who picks count from source usually …`, or (`up_to`) `who picks up to count from source usually …`."""

    who: Path
    up_to: bool
    count: Expr
    source: Expr
    usually: tuple[Preference, ...]


class PickNumber(Node, Struct):
    """`who picks low to high usually …`: a choice of a number."""

    who: Path
    low: Expr
    high: Expr
    usually: tuple[Preference, ...]


class Change(Node, Struct):
    """`subject gains|loses amount what`. `amount` alone is a mark or the name of a collection; without it all are lost.
    """

    subject: Expr
    gains: bool
    amount: Expr | None
    what: Name | None


class Deals(Node, Struct):
    """`who deals amount what evenly by measure to items usually …`: a number is distributed over their attributes."""

    who: Path
    amount: Expr
    what: Name
    measure: Expr | None
    items: Expr
    usually: tuple[Preference, ...]


class Leaves(Node, Struct):
    """`subject leaves play`."""

    subject: Expr


class Becomes(Node, Struct):
    """`target becomes none`; the value may be a choice: `target becomes owner picks 1 from items`."""

    subject: Expr
    value: Expr | Pick | PickNumber


class Way(Node, Struct):
    """The direction of a move: `towards goal`. `kind` is `towards`, `away from`, `into contact with`, `out of`, or
    `straight ahead`, which has no goal.
    """

    kind: str
    goal: Expr | None


class Moves(Node, Struct):
    """`subject moves amount way`, or (`up_to`) `subject moves up to amount way`. One of amount and way may be missing:
    `unit moves towards target`, `unit moves 6"`.
    """

    subject: Expr
    up_to: bool
    amount: Expr | None
    way: Way | None


class Prepositional(Node, Struct):
    """An argument of a call with a preposition: `at target`; `word` is against, into, with, through or at."""

    word: str
    value: Expr


class Does(Node, Struct):
    """`subject VERB arguments`: a call of a procedure of the game."""

    subject: Expr
    verb: Name
    args: tuple[Expr, ...]
    prepositional: tuple[Prepositional, ...]


class Umpire(Node, Struct):
    """`umpire 'question'`: a decision of people; `question` is the text between the quotes."""

    question: str


class Nothing(Node, Struct):
    """`nothing`: the statement without an effect."""


Action = Expr | Pick | PickNumber | Change | Deals | Leaves | Becomes | Moves | Does | Umpire | Nothing
Cites = tuple[Name, ...]


class Line(Node, Struct):
    """The text of a line, with the clauses that it cites: `unit leaves play [41]`."""

    action: Action
    cites: Cites


# ---- keys of lines --------------------------------------------------------------------------------------
class If(Node, Struct):
    """`if condition` in the key of a line."""

    condition: Expr


class Otherwise(Node, Struct):
    """`otherwise`: the line runs if neither the line before it nor the earlier lines of its chain of `otherwise` ran.
    """


class Together(Node, Struct):
    """`together`: all lines below read the state from before the block."""


class By(Node, Struct):
    """`by d6`: the lines below are cases of the value."""

    value: Expr


class ForEach(Node, Struct):
    """`for each name in items`: the lines below run once for each item, under the name `name`."""

    name: Name
    items: Expr


class RepeatUntil(Node, Struct):
    """`repeat up to 3 times until empty`; without a limit, `repeat until empty`."""

    limit: Expr | None
    condition: Expr


class RepeatTimes(Node, Struct):
    """`repeat 3 times`."""

    times: Expr


class PicksOne(Node, Struct):
    """`who picks one usually name`: the lines below are options. `usually` is empty, or one path: the name."""

    who: Path
    usually: tuple[Preference, ...]


class DealsOut(Node, Struct):
    """`who deals name evenly usually … from pool usually …` behind a `for each`: the name holds the share of each item.
    """

    who: Path
    name: Name
    favoured: tuple[Preference, ...]
    pool: Expr
    usually: tuple[Preference, ...]


Clause = If | Otherwise | Together | By | ForEach | RepeatUntil | RepeatTimes | PicksOne | DealsOut


class LineKey(Node, Struct):
    """The key of a line: its name and its clauses, in order: `hits, if near, for each unit in units [41]`. Also the key
    of a row of a table.
    """

    name: Name
    clauses: tuple[Clause, ...]
    cites: Cites


class Case(Node, Struct):
    """A range of faces (None is an open end) or a word."""

    low: int | None
    high: int | None
    word: str | None


class CaseKey(Node, Struct):
    """The key of a case of a `by`, or of a row of an outcome table: its cases, its name or None, and its clauses:
    `1-2, 5 hits, if near [41]`.
    """

    cases: tuple[Case, ...]
    name: Name | None
    clauses: tuple[Clause, ...]
    cites: Cites


# ---- one-line bodies ---------------------------------------------------------------------------------------
class Signed(Node, Struct):
    """`+ E` or `- E` of a modifier."""

    sign: int
    amount: Expr


class Adjust(Node, Struct):
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


class AttributeType(Node, Struct):
    """what: `one of`, `many`, `a`, `number`, `inches`, `yes or no`. `both_ways`: where these words stand, or None."""

    what: str
    of: Name | None
    low: Expr | None
    high: Expr | None
    optional: bool
    first: Expr | None
    cites: Cites
    both_ways: Name | None = None


class Words(Node, Struct):
    """A cell of one or more words: marks, or the name of a row elsewhere."""

    names: tuple[Name, ...]


class Named(Node, Struct):
    """A cell that names its column: `jam 2`."""

    name: Name
    value: Cell


class Band(Node, Struct):
    """Near and far: `12"/24"` or `2/1`."""

    values: tuple[Fraction, ...]
    inches: bool


Cell = Absent | Words | Named | Number | Target | Inches | Band | Dice


class Row(Node, Struct):
    """The cells of a row of a table: `2d6, 4+, none [41]`."""

    cells: tuple[Cell, ...]
    cites: Cites


class WordList(Node, Struct):
    """Names between commas, as the rows of a table without columns: `front, side [41]`."""

    names: tuple[Name, ...]
    cites: Cites


class Moment(Node, Struct):
    """`before|after|during|instead of` a path, for the thing in the role `role` there. `after_next`, of a mark: the
    moment must begin after the mark is gained.
    """

    when: str
    path: Path
    role: Name | None
    after_next: bool = False


class Limit(Node, Struct):
    """The maximum number of things with a mark: `up to count per kind`, such as `up to 2 per unit`."""

    count: Expr
    per: Name


class Ending(Node, Struct):
    """How a mark ends: at moments (with a condition), out of play, or never. For a mark between two things, whether it
    is `both_ways`, and the condition that both must meet (`holding`).
    """

    moments: tuple[Moment, ...]
    condition: Expr | None
    out_of_play: bool
    limit: Limit | None
    cites: Cites
    both_ways: bool = False
    holding: Expr | None = None


class Convention(Node, Struct):
    """How a die is read: `d6 at or over, always 6, never 1`, or (not `over`) `d6 at or under`. `always` and `never` are
    faces, or None.
    """

    die: Dice
    over: bool
    always: int | None
    never: int | None
    cites: Cites


class Options(Node, Struct):
    """The options of a ruling, the first of which applies unless another is chosen: `2, or 3 [41]`."""

    options: tuple[Cell, ...]
    cites: Cites


# ---- titles -----------------------------------------------------------------------------------------------------
class Parameter(Node, Struct):
    """`unit`, `target unit` (name, kind), `unsaved number`, `shots by range` (banded by another column)."""

    name: Name
    kind: Name | None
    by: Name | None
    word: str | None = None


class Title(Node, Struct):
    """The key of a definition: `what` is its first word; the other fields are set where that word allows them."""

    what: str
    names: tuple[Name, ...]
    of: Name | None = None
    group: Name | None = None
    base: Name | None = None
    through: Name | None = None  # `as unit.save`: the roll whose lines are taken over, as a path from the subject
    on: Name | None = None
    params: tuple[Parameter, ...] = ()
    by: Expr | None = None
    condition: Expr | None = None
    each: Name | None = None
    moments: tuple[Moment, ...] = ()
    when: str | None = None  # `add to NAME before LINE`
    anchor: Name | None = None
    word: str | None = None  # `mark NAME of unit with unit`: the preposition, and the other's kind
    other: Name | None = None
    part_of: Name | None = None  # `to shoot (unit), an attack`: the moment that the procedure belongs to
    cites: Cites = ()

    @property
    def name(self) -> Name:
        return self.names[0]


# ---- situations ---------------------------------------------------------------------------------------------------
class Trait(Node, Struct):
    """what: `count` (a number of a kind), `word` (a row or a mark), `is` (a name and its value), `not` (without a
    mark). `word` is the preposition of a mark between two things: `locked with B`.
    """

    what: str
    name: Name
    value: Cell | None
    word: str | None = None


class Thing(Node, Struct):
    """The attributes of a thing in a situation: `3 figures, level 2, not ready`."""

    traits: tuple[Trait, ...]


class Counted(Node, Struct):
    """A number of counted things with the same attributes: `4 with rifle`."""

    count: Number
    traits: tuple[Trait, ...]


class StatedFact(Node, Struct):
    """A fact of a situation: `distance(A, B) is 10"`. Without a value, `hidden(A)`, or (`negated`) `not hidden(A)`."""

    path: Path
    value: Expr | None
    negated: bool


class Stated(Node, Struct):
    """The facts of a situation, between commas."""

    facts: tuple[StatedFact, ...]


class Throw(Node, Struct):
    """The faces that a situation states for the dice of a line: `hits 6 2`."""

    path: Path
    faces: tuple[int, ...]


class Throws(Node, Struct):
    """The dice of a situation by line: `hits 6 2, effect 1`."""

    throws: tuple[Throw, ...]


class OddsOf(Node, Struct):
    """A stated chance or (`mean`) a stated mean of `value`: a fraction, or a range from `least` to `greatest`."""

    least: Fraction
    greatest: Fraction
    mean: bool
    value: Expr
