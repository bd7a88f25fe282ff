import { createReporter, type Reporter } from "../../../yaml/diagnostic.ts";
import { createSource } from "../../../yaml/source.ts";
import { parseYaml, type YamlFile } from "../../../yaml/yaml.ts";

/** Parses a file of Rasa. Like Rasa, it accepts quoted texts whose continuation lines are not indented. */
export function parseRasaYaml(name: string, text: string, reporter: Reporter): YamlFile | null {
  const strict = createReporter();
  const file = parseYaml(createSource(name, text), strict);
  if (file !== null) return file;
  const indented = parseYaml(createSource(name, indentQuoted(text)), createReporter());
  return indented ?? parseYaml(createSource(name, text), reporter);
}

/** Indents the continuation lines of double-quoted texts. YAML drops these blanks again. */
function indentQuoted(text: string): string {
  let isOpen = false;
  const lines = text.split("\n").map((line) => {
    const quotes = line.replace(/\\./gu, "").split('"').length - 1;
    const begins = isOpen || /^(?:- {1,9})?(?:[\w./-]{1,200}: {1,9})?"/u.test(line.trimStart());
    const result = isOpen ? `${" ".repeat(40)}${line}` : line;
    if (begins && quotes % 2 === 1) isOpen = !isOpen;
    return result;
  });
  return lines.join("\n");
}
