import sax from "sax";
import type { DiagnosticCode, Reporter } from "../../yaml/diagnostic.ts";
import { createSource, type Source, type Span } from "../../yaml/source.ts";
import type { TranslatedRow } from "./row.ts";
import { createInlineText, type InlineProblem, type InlineText } from "./xliff-inline.ts";

/**
 * Reads the rows of an XLIFF file of version 1.2 or 2, and reports all mistakes. Null if it is not
 * such a file.
 */
export function readXliff(source: Source, reporter: Reporter): readonly TranslatedRow[] | null {
  // XML requires this of every parser (section 2.11).
  const text = source.text.replace(/\r\n?/g, "\n");
  const reader = new XliffReader(createSource(source.file, text), reporter);
  const parser = sax.parser(true, { strictEntities: true });
  const handlers: sax.Handlers = {
    ondoctype() {
      reader.refuse(locateHere(), "a DOCTYPE has no place in an XLIFF file");
      giveUp();
    },
    onerror(error) {
      const [message = ""] = error.message.split("\n", 1);
      reader.refuse(locateHere(), `this can't be read as XML: ${message}`, "unreadable");
      parser.error = null;
      giveUp();
    },
    onopentag({ name, attributes }) {
      reader.open(toLocalName(name), attributes, tag());
      giveUp();
    },
    onclosetag(name) {
      reader.close(toLocalName(name));
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

  /** Stops reading a refused file, because further faults would only follow from the first. */
  function giveUp(): void {
    if (reader.rows() === null) throw GIVEN_UP;
  }

  function locateHere(): Span {
    const start = Math.max(0, Math.min(parser.position, text.length) - 1);
    return { start, end: start + 1 };
  }

  function tag(): Span {
    return { start: Math.max(0, parser.startTagPosition - 1), end: parser.position };
  }
}

type Attributes = Readonly<Record<string, string>>;

const GIVEN_UP = new Error("the file is refused");

/** The texts of a unit, or of one segment of XLIFF 2. */
interface Texts {
  source: string | null;
  target: string | null;
}

interface OpenUnit extends Texts {
  readonly id: string;
  readonly span: Span;
  /** True if white space counts in any part of it. */
  preserve: boolean;
  /** False if any part of it is not translated. */
  translated: boolean;
  /** The segment that is open; in 1.2 a unit is one. */
  segment: Texts;
  /** By id, the codes that XLIFF 2 keeps apart from the text. */
  readonly codes: Map<string, string>;
}

interface OpenElement {
  readonly name: string;
  /** Whether white space counts (xml:space), which child elements inherit. */
  readonly preserve: boolean;
}

class XliffReader {
  readonly #source: Source;
  readonly #reporter: Reporter;
  readonly #rows: TranslatedRow[] = [];
  readonly #path: OpenElement[] = [];
  #refused = false;
  #locale = "";
  #exported: string | null = null;
  #unit: OpenUnit | null = null;
  /** The source or target that is being read, with its depth. */
  #side: { readonly of: keyof Texts; readonly depth: number; readonly text: InlineText } | null =
    null;
  #code: { readonly id: string; text: string } | null = null;

  constructor(source: Source, reporter: Reporter) {
    this.#source = source;
    this.#reporter = reporter;
  }

  rows(): readonly TranslatedRow[] | null {
    return this.#refused ? null : this.#rows;
  }

  /** Reports, once, and gives the file up. */
  refuse(span: Span, message: string, code: DiagnosticCode = "invalid-value"): void {
    if (!this.#refused) this.#reporter.error(this.#source, span, code, message);
    this.#refused = true;
  }

  text(found: string): void {
    if (this.#side !== null) this.#side.text.add(found);
    else if (this.#code !== null) this.#code.text += found;
  }

  open(name: string, attributes: Attributes, span: Span): void {
    const parent = this.#path.at(-1) ?? null;
    if (parent === null) {
      const problem = problemOfRoot(name, attributes);
      if (problem !== null) this.refuse(span, problem);
      this.#locale = attributes["trgLang"] ?? "";
    }
    const space = attributes["xml:space"];
    const preserve = space === undefined ? (parent?.preserve ?? false) : space === "preserve";
    this.#path.push({ name, preserve });
    if (this.#side !== null) this.#complain(this.#side.text.open(name, attributes, span));
    else if (name === "file") {
      this.#locale = attributes["target-language"] ?? this.#locale;
      this.#exported = localeOfFile(attributes["original"]);
    } else if (name === "trans-unit" || name === "unit") {
      this.#unit = openUnit(attributes["id"] ?? "", span);
    } else if (this.#unit !== null) this.#openPart(this.#unit, name, attributes, parent);
  }

  #openPart(
    unit: OpenUnit,
    name: string,
    attributes: Attributes,
    parent: OpenElement | null,
  ): void {
    if (name === "segment" || name === "ignorable") {
      unit.segment = { source: null, target: null };
      if (isUntranslated(attributes)) unit.translated = false;
    } else if (name === "data") this.#code = { id: attributes["id"] ?? "", text: "" };
    else if (isSide(name) && HOLDERS.includes(parent?.name ?? "")) {
      if (name === "target" && isUntranslated(attributes)) unit.translated = false;
      this.#side = { of: name, depth: this.#path.length, text: createInlineText(unit.codes) };
    }
  }

  close(name: string): void {
    const depth = this.#path.length;
    const { preserve = false } = this.#path.pop() ?? {};
    const unit = this.#unit;
    if (unit === null) return;
    if (this.#side !== null && depth > this.#side.depth) this.#complain(this.#side.text.close());
    else if (this.#side !== null) {
      unit.segment[this.#side.of] = this.#side.text.written(preserve);
      unit.preserve ||= preserve;
      this.#side = null;
    } else if (name === "data" && this.#code !== null) {
      unit.codes.set(this.#code.id, this.#code.text);
      this.#code = null;
    } else if (HOLDERS.includes(name)) closeSegment(unit, name);
    if (name === "trans-unit" || name === "unit") {
      this.#rows.push({ locale: this.#locale, exported: this.#exported, ...textsOf(unit) });
      this.#unit = null;
    }
  }

  #complain(problem: InlineProblem | null): void {
    if (problem === null) return;
    const message = `${this.#unit?.id ?? ""}: ${problem.message}`;
    this.#reporter.error(this.#source, problem.span, "invalid-value", message, problem.hint);
    // Its text is incomplete, so the unit is ignored without further reports.
    if (this.#unit !== null) this.#unit.translated = false;
  }
}

function openUnit(id: string, span: Span): OpenUnit {
  const texts: Texts = { source: null, target: null };
  const flags = { preserve: false, translated: true };
  return { ...texts, ...flags, id, span, segment: texts, codes: new Map() };
}

/** Elements whose source and target are the unit's; others hold proposals of a memory. */
const HOLDERS: readonly string[] = ["trans-unit", "segment", "ignorable"];

function closeSegment(unit: OpenUnit, name: string): void {
  const { source, target } = unit.segment;
  if (source !== null) unit.source = (unit.source ?? "") + source;
  // A part that no translator has to touch, such as a space between two segments, keeps its text.
  const text = name === "ignorable" ? (target ?? source) : target;
  if (text !== null) unit.target = (unit.target ?? "") + text;
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
  const trimText = (text: string | null): string | null =>
    preserve ? text : (text?.replace(/^ | $/g, "") ?? null);
  return { id, span, source: trimText(source), target: translated ? trimText(target) : null };
}

function problemOfRoot(name: string, attributes: Attributes): string | null {
  if (name !== "xliff") return "this is no XLIFF file";
  const version = attributes["version"] ?? "of no version";
  return /^(?:1\.2|2\.\d)$/.test(version)
    ? null
    : `this file is XLIFF ${version}; only 1.2 and 2.0 to 2.2 are read`;
}

/** True if the target is a copy of the source, or a proposal that nobody has accepted. */
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

function toLocalName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
