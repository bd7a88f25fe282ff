import sax from "sax";
import type { Reporter } from "../load/diagnostic.ts";
import { createSource, type Source, type Span } from "../load/source.ts";
import type { TranslatedRow } from "./row.ts";
import { characterOf } from "./xliff-characters.ts";

/** The rows of an XLIFF 1.2 file. What is wrong is reported; null when it is no such file. */
export function readXliff(source: Source, reporter: Reporter): readonly TranslatedRow[] | null {
  // As every reader of XML must (section 2.11).
  const text = source.text.replace(/\r\n?/g, "\n");
  const reader = createReader(createSource(source.file, text), reporter);
  const parser = sax.parser(true, { strictEntities: true });
  const handlers: sax.Handlers = {
    ondoctype: () => reader.refuse(here(), "a DOCTYPE has no place in an XLIFF file"),
    onerror(error) {
      const [message = ""] = error.message.split("\n", 1);
      reader.refuse(here(), `this can't be read as XML: ${message}`);
      parser.error = null;
    },
    onopentag: ({ name, attributes }) => reader.open(localName(name), attributes, tag()),
    onclosetag: (name) => reader.close(localName(name)),
    ontext: (found) => reader.text(found),
    oncdata: (found) => reader.text(found),
  };
  Object.assign(parser, handlers);
  parser.write(text).close();
  return reader.rows();

  function here(): Span {
    const start = Math.max(0, Math.min(parser.position, text.length) - 1);
    return { start, end: start + 1 };
  }

  function tag(): Span {
    return { start: Math.max(0, parser.startTagPosition - 1), end: parser.position };
  }
}

interface Reader {
  open(name: string, attributes: Readonly<Record<string, string>>, span: Span): void;
  close(name: string): void;
  text(text: string): void;
  /** Reports, once, and gives the file up. */
  refuse(span: Span, message: string): void;
  rows(): readonly TranslatedRow[] | null;
}

interface OpenUnit {
  readonly id: string;
  readonly span: Span;
  source: string | null;
  target: string | null;
}

function createReader(source: Source, reporter: Reporter): Reader {
  const rows: TranslatedRow[] = [];
  const path: string[] = [];
  let refused = false;
  let locale = "";
  let unit: OpenUnit | null = null;
  /** The element whose text is being read. */
  let side: "source" | "target" | null = null;
  let codeStart = 0;

  const refuse = (span: Span, message: string): void => {
    if (!refused) reporter.error(source, span, "invalid-value", message);
    refused = true;
  };
  const add = (text: string): void => {
    if (unit !== null && side !== null) unit[side] += text;
  };

  return {
    refuse,
    text: add,
    rows: () => (refused ? null : rows),
    open(name, attributes, span) {
      if (path.length === 0 && name !== "xliff") refuse(span, "this is no XLIFF file");
      path.push(name);
      if (name === "xliff" && attributes["version"] !== "1.2") {
        const version = attributes["version"] ?? "of no version";
        refuse(span, `this file is XLIFF ${version}; only 1.2 is read`);
      } else if (name === "file") locale = attributes["target-language"] ?? "";
      else if (name === "trans-unit") {
        unit = { id: attributes["id"] ?? "", span, source: null, target: null };
      } else if (unit !== null && path.at(-2) === "trans-unit" && isSide(name)) {
        side = name;
        unit[name] = "";
      } else if (side !== null) {
        const character = name === "x" ? characterOf(attributes["id"] ?? "") : null;
        if (character !== null) add(character);
        else if (EMPTY.includes(name)) refuse(span, unknownCode(unit?.id ?? "", name));
        else if (!INLINE.includes(name)) refuse(span, `<${name}> has no place in a text`);
        codeStart = unit?.[side]?.length ?? 0;
      }
    },
    close(name) {
      path.pop();
      if (unit === null) return;
      if (name === "trans-unit") {
        rows.push({ locale, ...unit });
        unit = null;
      } else if (name === side) side = null;
      else if (name === "ph" && side !== null && unit[side]?.length === codeStart) {
        refuse(unit.span, unknownCode(unit.id, name));
      }
    },
  };
}

/** Inline elements that hold the text, or the code, they stand for. */
const INLINE: readonly string[] = ["g", "ph", "bpt", "ept", "it", "mrk", "sub", "x"];
/** Inline elements that stand for something this file does not hold. */
const EMPTY: readonly string[] = ["x", "bx", "ex"];

function isSide(name: string): name is "source" | "target" {
  return name === "source" || name === "target";
}

function unknownCode(id: string, name: string): string {
  return `${id}: an empty <${name}> that the export did not make stands for nothing`;
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
