import { checkConfig, type Diagnostic, formatDiagnostics } from "../../config/check.ts";
import type { Config } from "../../config/config.ts";
import { usesEmbedded } from "../../config/embedded.ts";
import { readArguments, readChoice } from "../arguments.ts";
import { counted } from "../counted.ts";
import { type Command, configFile, configOption, type Terminal } from "../command.ts";

export const checkCommand: Command = {
  name: "check",
  summary:
    "Validates the configuration, all texts and the embedded backend's content; exit 0 clean (warnings allowed), 1 errors.",
  usage: "[--config FILE] [--format text|json|github]",
  options: [configOption, { name: "format", value: "F", help: "text (default), json or github" }],
  async run(argv, terminal) {
    const args = readArguments("check", argv, this.options, 0);
    const format = readChoice("check", "format", args.one("format"), ["text", "json", "github"]);
    const { env } = terminal;
    const checked = await checkConfig(configFile(args.one("config"), terminal), { env });
    const diagnostics = [...checked.diagnostics, ...(await checkContent(checked.config, env))];
    const errors = diagnostics.filter(({ severity }) => severity === "error").length;
    terminal.out(formatDiagnostics(diagnostics, format));
    if (format === "text") {
      const warnings = diagnostics.filter(({ severity }) => severity === "warning").length;
      terminal.out(`${counted(errors, "error")}, ${counted(warnings, "warning")}\n`);
    }
    return errors === 0 ? 0 : 1;
  },
};

/** What is wrong with the content of the embedded backend, which reads it when the gateway starts. */
async function checkContent(
  config: Config | null,
  environment: Terminal["env"],
): Promise<readonly Diagnostic[]> {
  if (config === null || !usesEmbedded(config)) return [];
  // The backend's parsers are loaded only where there is a backend.
  const { loadAllContent } = await import("../../backend/content/load.ts");
  return loadAllContent(config.backend.content, { environment }).diagnostics;
}
