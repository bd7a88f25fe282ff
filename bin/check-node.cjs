"use strict";
// Nothing newer than Node 16 knows: an old Node must get as far as the message.
const fs = require("node:fs");
const path = require("node:path");

const root = path.join(__dirname, "..");
const checkout = fs.existsSync(path.join(root, "src"));
const version = process.versions.node;

if (Number(version.split(".")[0]) < 24) {
  const cure = checkout
    ? "Run npm ci, which brings Node 24 along; where it may run no install scripts, then npm rebuild node --ignore-scripts=false."
    : "Install Node 24 from https://nodejs.org or with your version manager.";
  fail(`Afterword needs Node 24 or newer; this is Node ${version} (${process.execPath}). ${cure}`);
}
if (checkout && !fs.existsSync(path.join(root, "node_modules", "yaml"))) {
  fail(`The packages that Afterword needs are not installed in ${root}. Run npm ci.`);
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
