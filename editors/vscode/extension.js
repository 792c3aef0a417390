// A thin client: it starts `umpire lsp` and leaves everything to it.
"use strict";

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

async function start() {
  const command = vscode.workspace.getConfiguration("umpire").get("command", "umpire");
  const run = { command, args: ["lsp"], transport: TransportKind.stdio };
  const seconds = vscode.workspace.getConfiguration("umpire").get("seconds", 6);
  client = new LanguageClient("umpire", "Umpire", { run, debug: run }, {
    initializationOptions: { seconds },
    documentSelector: [
      { language: "yaml", scheme: "file" },
      { language: "yaml", scheme: "untitled" },
    ],
  });
  try {
    await client.start();
  } catch (error) {
    const help = `\`${command} lsp\` did not start. \`pip install 'tabletop-umpire[lsp]'\` installs it; umpire.command says where it is.`;
    vscode.window.showErrorMessage(`Umpire: ${help} (${error.message})`);
  }
}

async function stop() {
  const old = client;
  client = undefined;
  if (old !== undefined && old.needsStop()) {
    await old.stop();
  }
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("umpire.restart", async () => {
      await stop();
      await start();
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
