import { stringify } from "yaml";
import { quoteYaml } from "../../yaml/quote.ts";
import { FLAG_FACTS } from "../../direct-answers/flags.ts";
import { describeUse } from "../../config/translation/describe.ts";

/** A line as a messages file has it: a text, or a mapping of texts. */
export type ShippedLines = Readonly<Record<string, unknown>>;

/**
 * Makes a messages file in which every line is commented out, with its use, the engine's text and
 * Afterword's text to edit.
 *
 * @param schema path or address of the JSON Schema, for editors
 * @param lines the shipped table of the locale
 */
export function createMessagesTemplate(
  locale: string,
  schema: string,
  lines: ShippedLines,
): string {
  const name = new Intl.DisplayNames("en", { type: "language" }).of(locale) ?? locale;
  const head = [
    `# yaml-language-server: $schema=${schema}`,
    "#",
    `# What your bot says in ${name}. The lines below are what Afterword says by default. To change one,`,
    "# remove the # in front of it. Lines behind a # keep the default, which new releases may improve. A line may also",
    "# have texts for channels, conditions, variants and plural forms; docs/messages.md shows them. `afterword check` finds",
    "# mistakes. {{query}} is what the reader typed, {{maxLength}} the longest question, {{date}} today; {{name}} is a",
    "# conversation variable that the configuration lists.",
  ];
  const blocks = Object.entries(lines).flatMap(([key, value]) => [
    "",
    ...wrapText(`When: ${describeUse(key)}`),
    ...describeEngineText(key),
    `#${formatEntry(key, value)}`,
  ]);
  return `${[...head, ...blocks].join("\n")}\n`;
}

function describeEngineText(key: string): readonly string[] {
  const facts = FLAG_FACTS.find(({ name }) => name === key);
  return facts === undefined ? [] : wrapText(`The engine says: "${facts.text}"`);
}

/** Writes an entry in one line, so that one # comments it out. */
function formatEntry(key: string, value: unknown): string {
  if (typeof value === "string") return `${key}: ${quoteYaml(value)}`;
  const flow = stringify(value, { collectionStyle: "flow", lineWidth: 0, ...QUOTED });
  return `${key}: ${flow.trimEnd()}`;
}

const QUOTED = { defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN" } as const;

const WIDTH = 118;

/** Wraps a text into comment lines of at most {@link WIDTH} characters and the `# `. */
function wrapText(text: string): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > WIDTH) {
      lines.push(`# ${line}`);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, `# ${line}`];
}
