// The packaged extension, loaded by node: it starts the server, shakes hands with it, and ends it.
// Run by `make vscode`, after packaging. The editor's own parts are stood in for by the few that are asked on the way: what
// is tried is that the package is whole, that the client and the server agree on the protocol, and that a command that is
// not there is told. Usage: node vscode.js FOLDER-OF-THE-PACKAGE COMMAND
"use strict";

const Module = require("module");
const path = require("path");
const [folder, umpire] = process.argv.slice(2).map((each) => path.resolve(each));

const nothing = () => ({ dispose() {} });
const commands = {};
const shown = [];

class Anything {
  dispose() {}
}

class EventEmitter {
  constructor() {
    this.event = nothing;
  }
  fire() {}
  dispose() {}
}

function kind(value) {
  return { value, append: (more) => kind(value ? `${value}.${more}` : more) };
}

const parts = {
  version: "1.90.0",
  EventEmitter,
  CodeActionKind: { Empty: kind("") },
  CancellationTokenSource: class {
    token = { isCancellationRequested: false, onCancellationRequested: nothing };
    dispose() {}
  },
  env: { appName: "node", language: "en" },
  workspace: {
    getConfiguration: () => ({ get: (name, other) => (name === "command" ? process.env.COMMAND : other), inspect() {} }),
    workspaceFolders: [{ uri: { scheme: "file", fsPath: folder, toString: () => `file://${folder}` }, name: "x", index: 0 }],
    textDocuments: [],
    notebookDocuments: [],
  },
  window: {
    showErrorMessage: (said) => Promise.resolve(shown.push(said)),
    createOutputChannel: () => ({ append: (said) => process.stderr.write(said), appendLine() {}, show() {}, dispose() {} }),
    visibleTextEditors: [],
    tabGroups: { all: [], onDidChangeTabs: nothing, onDidChangeTabGroups: nothing },
  },
  commands: { registerCommand: (name, act) => ((commands[name] = act), { dispose() {} }) },
  Uri: { parse: (said) => ({ toString: () => said }) },
};

function standIn(known) {
  return new Proxy(function () {}, {
    get(_, name) {
      if (name in known) {
        const found = known[name];
        return typeof found === "object" && !Array.isArray(found) ? standIn(found) : found;
      }
      if (typeof name === "symbol" || name === "then") return undefined;
      if (name === "prototype") return Anything.prototype;
      if (/^on[A-Z]|^register|^create/.test(name)) return nothing;
      return /^[A-Z]/.test(name) ? class extends Anything {} : standIn({});
    },
    construct: () => new Anything(),
    apply: () => standIn({}),
  });
}

const editor = standIn(parts);
const load = Module._load;
Module._load = function (name, ...rest) {
  return name === "vscode" ? editor : load.call(this, name, ...rest);
};

async function tried(command, wanted) {
  process.env.COMMAND = command;
  shown.length = 0;
  const extension = require(path.join(folder, "extension.js"));
  await extension.activate({ subscriptions: [] });
  await extension.deactivate();
  const right = shown.some((said) => String(said).includes("did not start")) !== wanted && "umpire.restart" in commands;
  console.log(`${right ? "yes" : "NO "}  ${wanted ? "the extension starts the server, and ends it" : "a command that is not there is told"}`);
  if (!right) console.log(shown);
  return right;
}

(async () => {
  const right = (await tried(umpire, true)) && (await tried("/there/is/no/umpire", false));
  process.exit(right ? 0 : 1);
})();
