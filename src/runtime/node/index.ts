// afterword/node: what needs files and sockets.
import "./node-version.ts";

export {
  type Checked,
  checkConfig,
  type Diagnostic,
  formatDiagnostics,
} from "../../config/check/check.ts";
export { loadConfig } from "../../config/load/load.ts";
export { type Running, serve, type ServeOptions } from "./serve.ts";
