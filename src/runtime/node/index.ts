/**
 * The entry for Node, with files and sockets.
 *
 * @module afterword/node
 */
import "./node-version.ts";

export { type Checked, checkConfig, type Diagnostic } from "../../config/check/check.ts";
export { formatDiagnostics } from "../../yaml/format-diagnostics.ts";
export { loadConfig } from "../../config/load/load.ts";
export { type Running, serve, type ServeOptions } from "./serve.ts";
