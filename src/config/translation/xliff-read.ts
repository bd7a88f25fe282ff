import sax from "sax";
import type { Reporter } from "../../yaml/diagnostic.ts";
import { createSource, type Source, type Span } from "../../yaml/source.ts";
import type { TranslatedRow } from "./row.ts";
import { createInlineText, type InlineProblem, type InlineText } from "./xliff-inline.ts";

/**
 * The rows of an XLIFF file of version 1.2 or 2. What is wrong is reported, every place of it; null
 * when it is no such file.
 */
export function readXliff(source: Source, reporter: Reporter): readonly TranslatedRow[] | null {
  // As every reader of XML must (section 2.11).
  const text = source.text.replace(/\r\n?/g, "\n");
  const reader = createReader(createSource(source.file, text), reporter);
  const parser = sax.parser(true, { strictEntities: true });
  const handlers: sax.Handlers = {
    ondoctype() {
      reader.refuse(here(), "a DOCTYPE has no place in an XLIFF file");
      giveUp();
    },
    onerror(error) {
      const [message = ""] = error.message.split("\n", 1);
      reader.refuse(here(), `this can't be read as XML: ${message}`);
      parser.error = null;
      giveUp();
    },
    onopentag({ name, attributes }) {
      reader.open(localName(name), attributes, tag());
      giveUp();
    },
    onclosetag(name) {
      reader.close(localName(name));
      giveUp();
    },
    ontext: (found) => reader.text(found),
    oncdata: (found) => reader.text(found),
  };
  Object.assign(parser, handlers);
  try {
    parser.write(text).close();
  } catch (error) {
    if (error !== GIVEN_UP) throw error;
  }
  return reader.rows();

  /** Ends reading once the file is refused: every further fault costs time, and says nothing. */
  function giveUp(): void {
    if (reader.rows() === null) throw GIVEN_UP;
  }

  function here(): Span {
    const start = Math.max(0, Math.min(parser.position, text.length) - 1);
    return { start, end: start + 1 };
  }

  function tag(): Span {
    return { start: Math.max(0, parser.startTagPosition - 1), end: parser.position };
  }
}

type Attributes = Readonly<Record<string, string>>;

const GIVEN_UP = new Error("the file is refused");

interface Reader {
  open(name: string, attributes: Attributes, span: Span): void;
  close(name: string): void;
  text(text: string): void;
  /** Reports, once, and gives the file up. */
  refuse(span: Span, message: string): void;
  rows(): readonly TranslatedRow[] | null;
}

/** What is read of a unit, or of one segment of XLIFF 2. */
interface Texts {
  source: string | null;
  target: string | null;
}

interface OpenUnit extends Texts {
  readonly id: string;
  readonly span: Span;
  /** True once white space counted in a part of it. */
  preserve: boolean;
  /** False once a part of it is not translated. */
  translated: boolean;
  /** The segment that is open; in 1.2 a unit is one. */
  segment: Texts;
  /** By id, the codes that XLIFF 2 keeps apart from the text. */
  readonly codes: Map<string, string>;
}

interface OpenElement {
  readonly name: string;
  /** Whether white space counts (xml:space), which elements hand down. */
  readonly preserve: boolean;
}

function createReader(source: Source, reporter: Reporter): Reader {
  const rows: TranslatedRow[] = [];
  const path: OpenElement[] = [];
  let refused = false;
  let locale = "";
  let exported: string | null = null;
  let unit: OpenUnit | null = null;
  /** The source or target that is being read, and how deep it stands. */
  let side: { readonly of: keyof Texts; readonly depth: number; readonly text: InlineText } | null =
    null;
  let code: { readonly id: string; text: string } | null = null;

  const refuse = (span: Span, message: string): void => {
    if (!refused) reporter.error(source, span, "invalid-value", message);
    refused = true;
  };
  const complain = (problem: InlineProblem | null): void => {
    if (problem === null) return;
    const message = `${unit?.id ?? ""}: ${problem.message}`;
    reporter.error(source, problem.span, "invalid-value", message, problem.hint);
    // Its text is not whole: nothing more is to be said of it.
    if (unit !== null) unit.translated = false;
  };

  return {
    refuse,
    text(found) {
      if (side !== null) side.text.add(found);
      else if (code !== null) code.text += found;
    },
    rows: () => (refused ? null : rows),
    open(name, attributes, span) {
      const parent = path.at(-1) ?? null;
      if (parent === null) {
        const problem = problemOfRoot(name, attributes);
        if (problem !== null) refuse(span, problem);
        locale = attributes["trgLang"] ?? "";
      }
      const space = attributes["xml:space"];
      const preserve = space === undefined ? (parent?.preserve ?? false) : space === "preserve";
      path.push({ name, preserve });
      if (side !== null) complain(side.text.open(name, attributes, span));
      else if (name === "file") {
        locale = attributes["target-language"] ?? locale;
        exported = localeOfFile(attributes["original"]);
      } else if (name === "trans-unit" || name === "unit") {
        const texts: Texts = { source: null, target: null };
        const id = attributes["id"] ?? "";
        unit = {
          ...texts,
          id,
          span,
          preserve: false,
          translated: true,
          segment: texts,
          codes: new Map(),
        };
      } else if (unit === null) return;
      else if (name === "segment" || name === "ignorable") {
        unit.segment = { source: null, target: null };
        if (isUntranslated(attributes)) unit.translated = false;
      } else if (name === "data") code = { id: attributes["id"] ?? "", text: "" };
      else if (isSide(name) && HOLDERS.includes(parent?.name ?? "")) {
        if (name === "target" && isUntranslated(attributes)) unit.translated = false;
        side = { of: name, depth: path.length, text: createInlineText(unit.codes) };
      }
    },
    close(name) {
      const depth = path.length;
      const { preserve = false } = path.pop() ?? {};
      if (unit === null) return;
      if (side !== null && depth > side.depth) complain(side.text.close());
      else if (side !== null) {
        unit.segment[side.of] = side.text.written(preserve);
        unit.preserve ||= preserve;
        side = null;
      } else if (name === "data" && code !== null) {
        unit.codes.set(code.id, code.text);
        code = null;
      } else if (HOLDERS.includes(name)) closeSegment(unit, name);
      if (name === "trans-unit" || name === "unit") {
        rows.push({ locale, exported, ...textsOf(unit) });
        unit = null;
      }
    },
  };
}

/** Elements whose source and target are the unit's; others hold proposals of a memory. */
const HOLDERS: readonly string[] = ["trans-unit", "segment", "ignorable"];

function closeSegment(unit: OpenUnit, name: string): void {
  const { source, target } = unit.segment;
  if (source !== null) unit.source = (unit.source ?? "") + source;
  // What no translator has to touch, such as a space between two segments.
  const said = name === "ignorable" ? (target ?? source) : target;
  if (said !== null) unit.target = (unit.target ?? "") + said;
  else unit.translated = false;
}

function textsOf({
  id,
  span,
  preserve,
  translated,
  source,
  target,
}: OpenUnit): Omit<TranslatedRow, "locale" | "exported"> {
  const trimmed = (text: string | null): string | null =>
    preserve ? text : (text?.replace(/^ | $/g, "") ?? null);
  return { id, span, source: trimmed(source), target: translated ? trimmed(target) : null };
}

function problemOfRoot(name: string, attributes: Attributes): string | null {
  if (name !== "xliff") return "this is no XLIFF file";
  const version = attributes["version"] ?? "of no version";
  return /^(?:1\.2|2\.\d)$/.test(version)
    ? null
    : `this file is XLIFF ${version}; only 1.2 and 2.0 to 2.2 are read`;
}

/** True where the target is a copy of the source, or a proposal that nobody has taken. */
function isUntranslated(attributes: Attributes): boolean {
  const state = attributes["state"] ?? "";
  if (UNTRANSLATED.test(state)) return true;
  const qualifier = attributes["state-qualifier"] ?? attributes["subState"] ?? "";
  return (
    /fuzzy|rejected/i.test(qualifier) && !/^(?:translated|reviewed|signed-off|final)$/.test(state)
  );
}

/** States of XLIFF 1.2 and 2, and those that tools add. */
const UNTRANSLATED =
  /^(?:new|initial|needs-translation|needs-l10n|x-(?:.*-)?(?:new|fuzzy|untranslated|not-translated))$/i;

/** The language of the file that an export names, such as `fr` of `messages/fr.yaml`. */
function localeOfFile(original: string | undefined): string | null {
  return /^(?:.*[/\\])?([A-Za-z0-9-]+)\.ya?ml$/.exec(original ?? "")?.[1] ?? null;
}

function isSide(name: string): name is "source" | "target" {
  return name === "source" || name === "target";
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
