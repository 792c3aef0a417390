"""Which version of the language a rule file says it is written in (`schema:` in its head), and whether it can be read.

Enters: a located tree. Leaves: yes or no, with the problem that says what to do. There is one version so far, which is
what a file means that says none.
"""

from __future__ import annotations

import re

from interpreter.document.nodes import Mapping, Scalar
from interpreter.source import Problems

CURRENT = 1


def can_be_read(root: Mapping, problems: Problems) -> bool:
    """Whether a file is of this version of the language; adds S009 or S010 where it is not."""
    node = root.get("schema")
    if node is None:
        return True
    if not isinstance(node, Scalar) or not re.fullmatch(r"[1-9]\d{0,3}", node.text.strip()):
        problems.add("S009", node.span, current=CURRENT)
        return False
    said = int(node.text)
    if said > CURRENT:
        hint = "`pip install --upgrade tabletop-umpire` brings an Umpire that knows it"
        problems.add("S010", node.span, said=said, current=CURRENT, hint=hint)
    return said <= CURRENT
