"""Works out the grammar's tables when the package is built: Lark takes as long for it as a short answer."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class GrammarTables(BuildHookInterface):  # type: ignore[type-arg]
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path.insert(0, self.root)
        from interpreter.language import table_files

        grammar = Path(self.root, "grammar", "rules.lark")
        Path(table_files.BUILT).write_bytes(table_files.format_tables(str(grammar)))
        build_data["artifacts"].append("interpreter/language/tables.pickle")
