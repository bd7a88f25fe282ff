import { checkConfig, formatDiagnostics } from "../../config/check.ts";
import { readArguments, readChoice } from "../arguments.ts";
import { type Command, configFile, configOption } from "../command.ts";

export const checkCommand: Command = {
  name: "check",
  summary: "Validates the configuration and all texts; exit 0 clean (warnings allowed), 1 errors.",
  usage: "[--config FILE] [--format text|json|github]",
  options: [configOption, { name: "format", value: "F", help: "text (default), json or github" }],
  async run(argv, terminal) {
    const args = readArguments("check", argv, this.options, 0);
    const format = readChoice("check", "format", args.one("format"), ["text", "json", "github"]);
    const { diagnostics } = await checkConfig(configFile(args.one("config"), terminal), {
      env: terminal.env,
    });
    const errors = diagnostics.filter(({ severity }) => severity === "error").length;
    terminal.out(formatDiagnostics(diagnostics, format));
    if (format === "text") {
      const warnings = diagnostics.length - errors;
      terminal.out(
        `${errors} ${plural(errors, "error")}, ${warnings} ${plural(warnings, "warning")}\n`,
      );
    }
    return errors === 0 ? 0 : 1;
  },
};

function plural(count: number, word: string): string {
  return count === 1 ? word : `${word}s`;
}
