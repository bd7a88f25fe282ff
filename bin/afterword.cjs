#!/usr/bin/env node
"use strict";
require("./check-node.cjs");
// npm runs the scripts of a checkout in the checkout: the command belongs to the caller's folder.
if (process.env.npm_lifecycle_event === "afterword" && process.env.INIT_CWD) {
  process.chdir(process.env.INIT_CWD);
}
const fs = require("node:fs");
const path = require("node:path");
const url = require("node:url");

// A checkout has the sources, and needs no build.
const source = path.join(__dirname, "../src/cli/main.ts");
const built = path.join(__dirname, "../dist/cli/main.js");
void import(url.pathToFileURL(fs.existsSync(source) ? source : built).href);
