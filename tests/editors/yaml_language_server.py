"""The published schemas in the real language server for YAML: what an author's editor shows.

Run by `make editors`, which fetches the server from npm; not a part of `make test`, for node is not everywhere. Starts
`yaml-language-server --stdio`, opens files that name a schema as docs/ci.md says, and asks as an editor does. Ends with 1
where a shipped file gets a diagnostic, a planted mistake gets none, or keys are neither offered nor explained.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
RULES = [*sorted((ROOT / "rules").glob("*.yaml")), *sorted((ROOT / "examples" / "house-rules").glob("*.yaml"))]
SITUATIONS = [*sorted((ROOT / "rules" / "tests").glob("*.yaml")), *sorted((ROOT / "examples").glob("*.yaml"))]
SITUATIONS.remove(ROOT / "examples" / "mistake.yaml")  # that is a rule file


class Server:
    """JSON-RPC over stdio: requests are answered in turn, diagnostics kept by file."""

    def __init__(self, program: str) -> None:
        self.process = subprocess.Popen([program, "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.diagnostics: dict[str, list[dict[str, Any]]] = {}
        self.count = 0
        capabilities = {
            "textDocument": {
                "hover": {"contentFormat": ["markdown"]},
                "completion": {"completionItem": {"snippetSupport": True, "documentationFormat": ["markdown"]}},
            }
        }
        self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities})
        self.tell("initialized", {})
        settings = {"yaml": {"validate": True, "hover": True, "completion": True, "schemaStore": {"enable": False}}}
        self.tell("workspace/didChangeConfiguration", {"settings": settings})

    def send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def tell(self, method: str, params: Any) -> None:
        self.send({"method": method, "params": params})

    def ask(self, method: str, params: Any) -> Any:
        self.count += 1
        self.send({"id": self.count, "method": method, "params": params})
        while True:
            message = self.read()
            if message.get("id") == self.count and "method" not in message:
                assert "error" not in message, message
                return message.get("result")

    def read(self) -> dict[str, Any]:
        """One message; what the server asks or tells of itself is dealt with on the way."""
        assert self.process.stdout is not None
        length = 0
        while line := self.process.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        message: dict[str, Any] = json.loads(self.process.stdout.read(length))
        if message.get("method") == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]
        elif "id" in message and "method" in message:
            wanted = message["params"].get("items", []) if message.get("params") else []
            self.send({"id": message["id"], "result": [{} for _ in wanted] if wanted else None})
        return message

    def open(self, path: Path, text: str) -> str:
        uri = path.as_uri()
        document = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        return uri

    def found(self, path: Path, text: str) -> list[dict[str, Any]]:
        uri = self.open(path, text)
        while uri not in self.diagnostics:
            self.read()
        return self.diagnostics[uri]

    def at(self, method: str, uri: str, row: int, column: int) -> Any:
        where = {"textDocument": {"uri": uri}, "position": {"line": row, "character": column}}
        return self.ask(f"textDocument/{method}", where)

    def offered(self, path: Path, text: str) -> dict[str, str]:
        """What is offered at the end of a text, with what is said of it."""
        uri = self.open(path, text)
        row, column = text.count("\n"), len(text.rsplit("\n", 1)[1])
        found = self.at("completion", uri, row, column)
        return {item["label"]: str(item.get("documentation", "")) for item in found["items"]}

    def said(self, path: Path, text: str, word: str) -> str:
        """What is said of a word that a pointer rests on."""
        uri = self.open(path, text)
        before = text[: text.index(word) + 1]
        found = self.at("hover", uri, before.count("\n"), len(before.rsplit("\n", 1)[-1]))
        return json.dumps(found["contents"]) if found else ""


def main(program: str) -> int:
    wrong = 0

    def told(what: str, right: bool, detail: object = "") -> None:
        nonlocal wrong
        wrong += not right
        print(f"{'yes' if right else 'NO '}  {what}" + (f": {detail}" if detail else ""))

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        for kind in ("rules", "situation"):
            command = [sys.executable, "-m", "interpreter", "schema", kind, "--output", str(folder / f"{kind}.json")]
            subprocess.run(command, cwd=ROOT, check=True)
        server = Server(program)
        head = {kind: f"# yaml-language-server: $schema={kind}.json\n" for kind in ("rules", "situation")}
        for kind, files in (("rules", RULES), ("situation", SITUATIONS)):
            odd = {}
            for path in files:
                found = server.found(folder / f"{kind}-{path.name}", head[kind] + path.read_text("utf-8"))
                if found:
                    odd[path.name] = found[0]["message"]
            told(f"{len(files)} shipped files ({kind}) have no diagnostic", not odd, odd or "")
        for kind, text, word in (
            ("rules", "game: Ours\nextend: modern\n", "extend"),
            ("rules", "game: Ours\nFiring:\n  tabel weapons:\n    rifle: 1\n", "tabel weapons"),
            ("situation", "rules: modern\nthan: hits = 1\n", "than"),
        ):
            found = server.found(folder / f"planted-{word.split()[0]}.yaml", head[kind] + text)
            told(f"`{word}` is marked", any(word in d["message"] for d in found), [d["message"] for d in found])

        offered = server.offered(folder / "keys.yaml", head["rules"] + "game: Ours\n")
        told("keys are offered", {"extends", "over", "change"} <= offered.keys(), ", ".join(offered))
        told("and explained", "continues" in offered.get("extends", ""), offered.get("extends"))
        offered = server.offered(folder / "titles.yaml", head["rules"] + "game: Ours\nFiring:\n  ")
        told("definitions are offered", {"table", "roll", "add to"} <= offered.keys(), ", ".join(offered))
        told("and explained", "as printed" in offered.get("table", ""), offered.get("table"))
        offered = server.offered(folder / "case.yaml", head["situation"] + "rules: modern\n")
        told("a situation's keys are offered", {"facts", "dice", "odds"} <= offered.keys(), ", ".join(offered))

        text = (
            "# ours.yaml\n"
            + head["rules"]
            + "game: Ours\nextends: modern\nFiring:\n  table weapons (range):\n    rifle: 24\n"
        )
        said = server.said(folder / "hover.yaml", text, "extends")
        told("`extends` is explained under the pointer", "whose definitions this one continues" in said, said)
        said = server.said(folder / "hover2.yaml", text, "table weapons")
        told("and `table weapons`", "as printed, one row a line" in said, said)
        said = server.said(
            folder / "hover3.yaml", head["situation"] + 'rules: modern\nodds: "1/6 that hits >= 1"\n', "odds"
        )
        told("and `odds` of a situation", "How likely it is" in said, said)
        server.process.kill()
        server.process.wait()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
