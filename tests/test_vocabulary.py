"""The wall against game words: what rules/*.yaml declare must not appear in interpreter/**/*.py.

An engine that names a game's things cannot serve the next game. Every name that a rule file declares
(titles, attributes, rows; the lines inside a procedure are private to it) is gathered, and is looked for in
whole identifiers, names of modules, and strings of up to three words; words of some genre in parts of
identifiers as well. Docstrings, comments, longer prose and the catalogue's
prose examples (interpreter/source/catalogue/) may say what they like.
"""

import ast
import builtins
import contextlib
import keyword
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent
PROSE = "interpreter/source/catalogue/"


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words of some genre, in whichever rule file they may stand: forbidden always, never to be allowed.
CORE = words("""
    suppressed suppression pin pins pinned expertise morale hero on-guard go-to-ground veteran seasoned green
    elite molotov automaton leadership armour save activation cover vehicle squad weapon casualty hull
""")

# Words that rule files declare and the engine may still say, by the reason why. Keep it short:
# first rename in the engine; a word comes here only where every game would use it in this sense.
ALLOWED = {
    "the field's own words, which every tabletop game shares": """
        dice die face faces figure figures game owner pool roll rolls side sides table throw thrown throws turn
        turns unit units
    """,
    "measures and geometry of a table": """
        area areas bearing contact corner distance edge heading inches level near range sight size
    """,
    "words of the rule language itself, as its grammar spells them": """
        action after again all at basic before best condition dash each first from gains if leaves loses
        many mark most moves needs no none number of on one open or order out over repeat row rows target
        thing to together trait under up usually with
    """,
    "a compiler's and a data structure's words": """
        base body case character clash count declare double effect end event fix found gap high known last low
        margin name opened parent part parts patched path plan points radius rank raw result room round rule sign span
        start state step steps test tests title type types used value
    """,
    "what SVG, the library that draws, the library of a page, and a keyboard call their parts": """
        enter height normal reload
    """,
    "the name of a command": """
        sweep
    """,
    "numbers in English, which no game can have for itself": """
        eight six
    """,
    "plain English without which no sentence can be written": """
        act actor ahead anew answer any back bad begin beneath broken choose close colours command depth does done drawn drop effects empty escape
        failed fails far fill final free fresh front full goal gone half help hits late lead leaving loaded loader lost more move object
        old once other others passed quiet reach run runs some stand stop tested theirs tried two unseen walk worse
        allowed deeper fallen losses might off piece pieces plain resolve second send small steady sure thinned tick worth
        behind cast cuts few harmless hidden reaches screen shares shown silent swept watched weight what who whole working
    """,
}

# Python's own names may be used as identifiers (`text.split()`), though not as strings.
PYTHON = {
    name
    for owner in (builtins, contextlib, str, bytes, int, list, dict, set, tuple, Path)
    for name in dir(owner)
} | {*keyword.kwlist, *keyword.softkwlist}  # fmt: skip

NAME = r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*"
GOVERNED = r" (?:of|by|for|as|on|before|after|during|instead|if|where|with|against|into|through|at)\b"


def declared(text: str) -> dict[str, int]:
    """Every name that a rule file declares, with the line of its first declaration."""
    found: dict[str, int] = {}
    for heading, definitions in entries(yaml.compose(text, Loader=yaml.BaseLoader)):
        if heading.value in ("change", "limits", "moved"):
            continue  # addresses of names that are declared elsewhere
        for title, body in entries(definitions):
            word, _, rest = title.value.partition(" ")
            if word in ("remove", "example", "typical"):
                continue
            names = title_names(word, rest)
            if word == "table" and isinstance(body, yaml.ScalarNode):
                names += first_names(body.value)  # a bare list of rows
            for name in names:
                found.setdefault(name, title.start_mark.line + 1)
            if word not in ("kind", "table", "add"):
                continue  # the lines of a procedure are its own: `rest`, `run` and `done` are said everywhere
            for key in inner_keys(body):  # attributes and rows
                for name in first_names(re.sub(r"^[-+\d, ]*(or (more|less))? *", "", key.value))[:1]:
                    found.setdefault(name, key.start_mark.line + 1)
    return {name: line for name, line in found.items() if len(name) > 1}


def entries(node: Any) -> list[tuple[Any, Any]]:
    return node.value if isinstance(node, yaml.MappingNode) else []


def inner_keys(node: Any) -> Iterator[Any]:
    for key, body in entries(node):
        yield key
        yield from inner_keys(body)


def title_names(word: str, rest: str) -> list[str]:
    """`covers (harder, shots by range) of unit [54]` -> covers, harder, shots."""
    rest = re.sub(r"\[[^]]*\]", "", rest)
    in_brackets = [name for inner in re.findall(r"\(([^)]*)\)", rest) for name in first_names(inner)]
    plain = " " + re.sub(r"\([^)]*\)", "", rest)
    if word == "add":
        return in_brackets  # what it adds to is declared elsewhere
    return first_names(re.split(GOVERNED, plain)[0]) + in_brackets


def first_names(text: str) -> list[str]:
    """The first name of each part between commas; `a unit` and `many to a side` declare nothing."""
    parts = re.split(r"[,;]", re.sub(r"\[[^]]*\]", "", text))
    names = [re.match(rf"\s*({NAME})(?![\w-])(?!\s*\()", part) for part in parts]
    return [m[1] for m in names if m and m[1] not in ("a", "an", "many")]


def spoken(path: Path) -> Iterator[tuple[int, str, bool]]:
    """(line, name, is it a string) of every name and short string in a module."""
    tree = ast.parse(path.read_text("utf-8"))
    yield 1, path.stem, False
    silent: set[ast.AST] = set()  # docstrings, and parts of f-strings, which are read as a whole
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 1)
        if isinstance(node, ast.Expr):
            silent.add(node.value)
        elif isinstance(node, ast.JoinedStr):
            silent.update(node.values)
            pieces = [str(v.value) if isinstance(v, ast.Constant) else " {} " for v in node.values]
            yield from ((line, word, True) for word in short("".join(pieces)))
        elif isinstance(node, ast.Constant):
            if isinstance(node.value, str) and node not in silent:
                yield from ((line, word, True) for word in short(node.value))
        else:  # name, id, attr, arg, asname, module, rest; lists of names in global and match statements
            for _, held in ast.iter_fields(node):
                for name in held if isinstance(held, list) else [held]:
                    if isinstance(name, str):
                        yield from ((line, part, False) for part in name.split("."))


def short(text: str) -> list[str]:
    """The words of a string of up to three words, else none: longer ones are prose."""
    words = text.split()
    return re.findall(r"\w+(?:-\w+)*", text) if len(words) <= 3 else []


def said(name: str) -> list[str]:
    """An identifier or word as the names it may stand for: `goToGround` -> go-to-ground, go, to, ground."""
    whole = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).replace("_", "-").strip("-").lower()
    return list(dict.fromkeys([whole, *whole.split("-")]))


def leaks(root: Path, forbidden: dict[str, str]) -> list[str]:
    """`file:line: word` for each word in root/interpreter that `forbidden` has, with where it is declared."""
    found: dict[str, None] = {}
    for path in sorted((root / "interpreter").rglob("*.py")):
        place = path.relative_to(root).as_posix()
        if place.startswith(PROSE):
            continue
        for line, name, is_string in spoken(path):
            whole, *parts = said(name)
            heard = [whole, *(p for p in parts if p in CORE)]
            hits = [w for w in heard if w in forbidden and (is_string or w not in PYTHON)]
            if hits:  # the first is the longest
                kind = "string" if is_string else "name"
                found.setdefault(f"{place}:{line}: {hits[0]} (in the {kind} {name!r}; {forbidden[hits[0]]})")
    return list(found)


def game_words(rules: Path) -> dict[str, str]:
    found = dict.fromkeys(CORE, "a word of some genre")
    for path in sorted(rules.glob("*.yaml")):
        for name, line in declared(path.read_text("utf-8")).items():
            found[name] = f"declared at {path.name}:{line}"
    allowed = words(" ".join(ALLOWED.values()))
    return {word: where for word, where in found.items() if word not in allowed}


def test_no_game_word_in_the_engine() -> None:
    found = leaks(ROOT, game_words(ROOT / "rules"))
    assert not found, "\n" + "\n".join(found)


def test_no_genre_word_is_ever_allowed() -> None:
    assert CORE.isdisjoint(words(" ".join(ALLOWED.values())) | PYTHON)


def test_each_allowed_word_has_one_reason() -> None:
    allowed = " ".join(ALLOWED.values()).split()
    assert sorted(allowed) == sorted(set(allowed))


RULES = """
game: A toy
clauses: TOY
Conventions:
  dice high [1]: d10 at or over, always 10, never 1
  kind ship, many to a fleet, a hulk [2]:
    canvas: number 1 to 60
    crew: one of crews or none                     # who sails
  table crews (grog, tots by reach; parrots) [3]:
    salty-dogs: 3, 2/1
    lubbers:    none
  table winds: aft, abeam [4]
  mark becalmed, holed of ship: until before tack [5]
  roll boarding of ship as brawl on high [6]: needs canvas
  to broadside (ship) at (prey ship) [7, 8]:
    volley, for each gunner in guns where able [9]:
      balls: gunner.tots
    if-any, otherwise: nothing
  table wreckage of ship (splinter) by splinter if dry [10]:
    1-2 leak, if holed: ship gains holed
    5 or more sunk:
      bubbles: ship leaves play
  rule mutiny for each ship during tack, after broadside if becalmed: nothing
  add to crews (rum): 
    captains: 9
  remove old-thing:
  example first-blood [11]:
    ship a: nothing
change:
  crews.salty-dogs.grog: 4, was 3
"""


def test_what_is_gathered() -> None:
    assert set(declared(RULES)) == words("""
        high ship canvas crew crews grog tots parrots salty-dogs lubbers winds aft abeam becalmed holed
        boarding broadside prey wreckage splinter leak sunk bubbles mutiny rum captains
    """)
    assert declared(RULES)["bubbles"] == 1 + RULES.splitlines().index("      bubbles: ship leaves play")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("grog = 1", "grog"),
        ("x.becalmed", "becalmed"),
        ("f(lubbers=2)", "lubbers"),
        ("def f(canvas): ...", "canvas"),
        ("def mutiny(): ...", "mutiny"),
        ("class SaltyDogs: ...", "salty-dogs"),
        ("is_pinned = True", "pinned"),
        ("import broadside", "broadside"),
        ("match x:\n    case {'k': prey}: ...", "prey"),
        ("x = 'sunk'", "sunk"),
        ("x = 'the ship sank'", "ship"),
        ("x = f'sunk {y}'", "sunk"),
        ("x = {'Salty-Dogs': 1}", "salty-dogs"),
        ("pinned = 1", "pinned"),
    ],
)
def test_the_wall_stops(text: str, word: str, tmp_path: Path) -> None:
    found = scan(tmp_path, "interpreter/engines/play.py", text)
    assert len(found) == 1
    assert found[0].startswith(f"interpreter/engines/play.py:{text.count(chr(10)) + 1}: {word} (")


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("interpreter/engines/play.py", '"""The crew is salty."""\n# grog\nfaces = sorted(table)'),
        ("interpreter/engines/play.py", "x = 'what the crew had for breakfast'"),
        ("interpreter/engines/play.py", "x = f'{a} crew {b} sunk {c}'"),
        ("interpreter/engines/play.py", "leaked = shipment = 'relationship'"),
        ("interpreter/source/catalogue/names.py", "x = 'grog'"),
    ],
)
def test_the_wall_lets_through(place: str, text: str, tmp_path: Path) -> None:
    assert scan(tmp_path, place, text) == []


def test_a_module_may_not_be_called_by_a_game_word(tmp_path: Path) -> None:
    assert len(scan(tmp_path, "interpreter/engines/broadside.py", "")) == 1


def scan(root: Path, place: str, text: str) -> list[str]:
    (root / "rules").mkdir()
    (root / "rules" / "toy.yaml").write_text(RULES, "utf-8")
    (root / place).parent.mkdir(parents=True)
    (root / place).write_text(text, "utf-8")
    return leaks(root, game_words(root / "rules"))
