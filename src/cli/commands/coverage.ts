import { coverageOf } from "../../config/check/coverage.ts";
import { loadConfig } from "../../config/load/load.ts";
import { readArguments, formatOption, readFormat } from "../arguments.ts";
import { type Command, configFile, configOption } from "../command.ts";
import { matrixOf } from "../matrix.ts";

export const coverageCommand: Command = {
  name: "coverage",
  summary:
    "Shows for every flag and locale who speaks: the owner, Afterword, another locale, or nobody.",
  usage: "[--config FILE] [--format text|json]",
  options: [configOption, formatOption],
  async run(argv, terminal) {
    const args = readArguments("coverage", argv, this.options, 0);
    const format = readFormat("coverage", args);
    const config = await loadConfig(configFile(args.one("config"), terminal), {
      env: terminal.env,
    });
    const coverage = coverageOf(config);
    terminal.out(
      format === "json"
        ? `${JSON.stringify(coverage, null, 2)}\n`
        : coverage.map((one) => matrixOf(one, terminal)).join("\n"),
    );
    return 0;
  },
};
