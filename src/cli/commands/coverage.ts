import { type Coverage, coverageOf, type CoverageState } from "../../config/check/coverage.ts";
import { loadConfig } from "../../config/load/load.ts";
import { formatOption, readFormat } from "../command/arguments.ts";
import { type Command, findConfigFile, configOption } from "../command/command.ts";

export const coverageCommand: Command = {
  name: "coverage",
  usage: "[--config FILE] [--format text|json]",
  options: [configOption, formatOption],
  async run(args, terminal) {
    const format = readFormat(args);
    const config = await loadConfig(findConfigFile(args.one("config"), terminal), {
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

/** Draws an instance's matrix with a legend, in blocks as wide as the terminal. */
export function matrixOf(
  coverage: Coverage,
  terminal: { readonly interactive: boolean; readonly columns: number },
): string {
  const label = Math.max(...coverage.keys.map((key) => key.length)) + 1;
  const blocks = splitIntoBlocks(coverage.locales, Math.max(20, terminal.columns - label));
  const paint = ({ sign, colour }: StateStyle, width: number): string => {
    const padded = sign.padEnd(width);
    return terminal.interactive ? colour + padded + reset : padded;
  };
  const parts = blocks.map((locales) => {
    const head =
      " ".repeat(label) + locales.map((locale) => locale.padEnd(widthOf(locale))).join("");
    const rows = coverage.keys.map((key) => {
      const cells = locales.map((locale) =>
        paint(styles[coverage.states[key]?.[locale] ?? "missing"], widthOf(locale)),
      );
      return key.padEnd(label) + cells.join("");
    });
    return [head, ...rows].map((line) => line.trimEnd()).join("\n");
  });
  const legend = Object.values(styles)
    .map((style) => `${paint(style, 1)} ${style.meaning}`)
    .join("\n");
  return `${coverage.instance}: ${coverage.keys.length} keys, ${coverage.locales.length} locales\n\n${parts.join("\n\n")}\n\n${legend}\n`;
}

function widthOf(locale: string): number {
  return locale.length + 1;
}

function splitIntoBlocks(
  locales: readonly string[],
  width: number,
): readonly (readonly string[])[] {
  const blocks: string[][] = [[]];
  let used = 0;
  for (const locale of locales) {
    if (used + widthOf(locale) > width && used > 0) {
      blocks.push([]);
      used = 0;
    }
    blocks.at(-1)?.push(locale);
    used += widthOf(locale);
  }
  return blocks;
}

interface StateStyle {
  readonly sign: string;
  readonly colour: string;
  readonly meaning: string;
}

const styles: Readonly<Record<CoverageState, StateStyle>> = {
  own: { sign: "●", colour: "\u001B[32m", meaning: "the owner's text" },
  shipped: { sign: "○", colour: "\u001B[36m", meaning: "Afterword's text" },
  inherited: { sign: "↑", colour: "\u001B[33m", meaning: "another locale's text" },
  missing: { sign: "✗", colour: "\u001B[31m", meaning: "no text: the engine's words stay" },
  never: { sign: "·", colour: "\u001B[2m", meaning: "never said: default content hides the flag" },
};
const reset = "\u001B[0m";
