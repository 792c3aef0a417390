"""A fast validator for JSON Schema that accepts valid files without importing jsonschema.

Takes a node and the schemas; returns True, or False for "not certain", and then jsonschema decides (shape.py). An
unknown keyword is "not certain", so this validator never accepts more than jsonschema, whose import takes longer than a
whole check. It does not know what the keys mean.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from interpreter.document.nodes import Mapping, Node, Scalar, Sequence

Rule = dict[str, Any]
Test = Callable[[Node], bool]
_REMARKS = {"$schema", "$id", "$defs", "$comment", "title", "description", "examples", "written"}


class QuickValidator:
    """Compiles schemas to predicates, each once; `schema` returns the schema of a file name."""

    def __init__(self, schema: Callable[[str], Rule]) -> None:
        self.schema = schema
        self._tests: dict[tuple[str, str], Test] = {}

    def accepts(self, node: Node, name: str) -> bool:
        """Return whether a node certainly matches the schema of a file name."""
        return self._test_at(name, "#")(node)

    def _test_at(self, name: str, pointer: str) -> Test:
        """Return the predicate of the schema at a JSON pointer; schemas may be recursive."""
        key = (name, pointer)
        if key not in self._tests:
            self._tests[key] = lambda node: self._tests[key](node)  # replaced below; a recursive reference uses it
            rule: Any = self.schema(name)
            for step in pointer.split("/")[1:]:
                rule = rule[step]
            self._tests[key] = self._make_test(rule, name)
        return self._tests[key]

    def _make_test(self, rule: Rule, name: str) -> Test:
        tests: list[Test] = []
        if "$ref" in rule:
            file, _, pointer = rule["$ref"].partition("#")
            tests.append(self._test_at(file or name, "#" + pointer))
        if "type" in rule:
            wanted = rule["type"]
            kinds = tuple(_KINDS[k] for k in ([wanted] if isinstance(wanted, str) else wanted) if k in _KINDS)
            tests.append(lambda node: isinstance(node, kinds))
        if "minLength" in rule:
            least = rule["minLength"]
            tests.append(lambda node: not isinstance(node, Scalar) or len(node.text) >= least)
        if "items" in rule:
            item = self._make_test(rule["items"], name)
            tests.append(lambda node: not isinstance(node, Sequence) or all(map(item, node.items)))
        if "required" in rule:
            keys = set(rule["required"])
            tests.append(lambda node: not isinstance(node, Mapping) or keys <= {e.key.text for e in node.entries})
        if rule.keys() & _ENTRIES:
            tests.append(self._make_entries_test(rule, name))
        if rule.keys() - _ENTRIES - _REMARKS - {"$ref", "type", "minLength", "items", "required"}:
            tests.append(lambda _: False)
        if len(tests) == 1:
            return tests[0]
        return lambda node: all(test(node) for test in tests)

    def _make_entries_test(self, rule: Rule, name: str) -> Test:
        named = {key: self._make_test(each, name) for key, each in rule.get("properties", {}).items()}
        alike = [
            (_make_key_test(p), self._make_test(each, name)) for p, each in rule.get("patternProperties", {}).items()
        ]
        others = rule.get("additionalProperties", True)
        rest: Test
        if isinstance(others, bool):
            rest = lambda _: others  # noqa: E731
        else:
            rest = self._make_test(others, name)

        def entries(node: Node) -> bool:
            if not isinstance(node, Mapping):
                return True
            for entry in node.entries:
                text, known = entry.key.text, False
                if text in named:
                    known = True
                    if not named[text](entry.value):
                        return False
                for found, test in alike:
                    if found(text):
                        known = True
                        if not test(entry.value):
                            return False
                if not known and not rest(entry.value):
                    return False
            return True

        return entries


def _make_key_test(pattern: str) -> Callable[[str], object]:
    """Return a predicate that matches keys against a pattern. Most patterns are `^word \\S`, which need no `re`."""
    word = pattern.removeprefix("^").removesuffix(r" \S")
    if pattern != rf"^{word} \S" or not word.replace(" ", "").isalpha():
        return re.compile(pattern).search
    begins, at = f"{word} ", len(word) + 1
    return lambda text: text.startswith(begins) and text[at : at + 1].strip()


_KINDS = {"string": Scalar, "array": Sequence, "object": Mapping}
_ENTRIES = {"properties", "patternProperties", "additionalProperties"}
