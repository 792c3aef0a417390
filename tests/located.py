"""Texts read as YAML, and the trees of them with their places."""

from collections.abc import Callable, Iterator

from interpreter.document.nodes import Mapping, Node, Scalar, Sequence
from interpreter.document.reader import read
from interpreter.source import Problems, Source, render

Check = Callable[[Mapping, Problems], None]


def found(text: str, check: Check | None = None, *, fast: bool = True) -> tuple[Mapping | None, Problems]:
    problems = Problems()
    root = read(Source("t.yaml", text), problems, fast=fast)
    if root is not None and check is not None:
        check(root, problems)
    return root, problems


def tree(text: str) -> Mapping:
    root, problems = found(text)
    assert root is not None, render(problems)
    assert not len(problems), render(problems)
    return root


def value(text: str) -> Scalar:
    """The value of the one entry of a text."""
    node = tree(text).entries[0].value
    assert isinstance(node, Scalar)
    return node


def scalars(node: Node) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Sequence):
        for item in node:
            yield from scalars(item)
    else:
        for entry in node:
            yield entry.key
            yield from scalars(entry.value)


def located(node: Node | None) -> object:
    """A tree as plain data with all its places."""
    if node is None:
        return None
    place = (node.span.start, node.span.end)
    if isinstance(node, Scalar):
        return (node.text, node.style, place)
    if isinstance(node, Sequence):
        return (place, [located(item) for item in node])
    return (place, [(located(entry.key), located(entry.value)) for entry in node])
