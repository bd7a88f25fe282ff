import type { Span } from "../../yaml/source.ts";
import { characterOf } from "./xliff-characters.ts";

/** A source or target while it is read: text, and the elements in it. */
export interface InlineText {
  add(text: string): void;
  open(
    name: string,
    attributes: Readonly<Record<string, string>>,
    span: Span,
  ): InlineProblem | null;
  /** Closes the element that was opened last. */
  close(): InlineProblem | null;
  /** @param preserve whether white space counts; otherwise runs of it are one space */
  written(preserve: boolean): string;
}

export interface InlineProblem {
  readonly span: Span;
  readonly message: string;
  readonly hint?: string;
}

interface OpenInline {
  readonly name: string;
  readonly span: Span;
  /** How long the text was when it opened. */
  readonly start: number;
  /** The text that closes it: `</b>`, or nothing. */
  readonly end: string;
  /** True for a code, and for an element within one. */
  readonly isOfCode: boolean;
}

/** @param codes those that XLIFF 2 keeps apart from the text, by id */
export function createInlineText(codes: ReadonlyMap<string, string>): InlineText {
  let text = "";
  const path: OpenInline[] = [];
  return {
    add(found) {
      text += found;
    },
    open(name, attributes, span) {
      const isCode = CODES.includes(name);
      const isWithinCode = path.at(-1)?.isOfCode ?? false;
      const findCode = (attribute: string): string => codes.get(attributes[attribute] ?? "") ?? "";
      let end = "";
      let problem: InlineProblem | null = null;
      const start = text.length;
      if (name === "x" || name === "cp") {
        const character = name === "x" ? characterOf(attributes["id"] ?? "") : hexOf(attributes);
        if (character !== null) text += character;
        else if (tagOfType(attributes["ctype"]) === "br") text += "<br>";
        else problem = standsForNothing(name, span);
      } else if (name === "bx" || name === "ex") problem = standsForNothing(name, span);
      else if (name === "g") {
        const tag = tagOfType(attributes["ctype"]);
        text += tag === null ? "" : `<${tag}>`;
        end = tag === null ? "" : `</${tag}>`;
      } else if (name === "pc") {
        text += findCode("dataRefStart");
        end = findCode("dataRefEnd");
      } else if (isCode) text += findCode("dataRef");
      else if (HTML.has(name) && !(name === "sub" && isWithinCode)) {
        text += startTag(name, attributes);
        end = VOID.has(name) ? "" : `</${name}>`;
      } else if (!MARKERS.includes(name)) {
        const hint = `Where a tag is meant, write &lt;${name}&gt;.`;
        problem = { span, message: `<${name}> has no place in a text`, hint };
      }
      path.push({ name, span, start, end, isOfCode: isCode || isWithinCode });
      return problem;
    },
    close() {
      const { name = "", span, start = 0, end = "" } = path.pop() ?? {};
      if (span !== undefined && PLACEHOLDERS.includes(name) && text.length === start) {
        return standsForNothing(name, span);
      }
      text += end;
      return null;
    },
    // Exports write carriage returns as elements, so the remaining ones are part of the text.
    written: (preserve) => (preserve ? text : text.replace(/[ \t\n]+/g, " ")),
  };
}

/** Inline elements whose content, or the data they refer to, is the code itself. */
const CODES: readonly string[] = ["ph", "bpt", "ept", "it", "sc", "ec"];
/** The {@link CODES} that must not be empty. */
const PLACEHOLDERS: readonly string[] = ["ph", "sc", "ec"];
/** Elements around text that add nothing to it. */
const MARKERS: readonly string[] = ["mrk", "sub", "sm"];

/** Tags of HTML that translation platforms unescape. */
const HTML: ReadonlySet<string> = new Set(
  "a abbr b bdi bdo big blockquote br center cite code dd del dfn div dl dt em font h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s samp small span strike strong sub sup table tbody td tfoot th thead time tr tt u ul var wbr".split(
    " ",
  ),
);
const VOID: ReadonlySet<string> = new Set(["br", "hr", "img", "wbr"]);

/** The tag that an element of type `bold` or `x-html-b` stands for. */
function tagOfType(type: string | undefined): string | null {
  const known = TYPES.get(type ?? "") ?? /^x-html-([a-z0-9]+)$/i.exec(type ?? "")?.[1];
  return known?.toLowerCase() ?? null;
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ["bold", "b"],
  ["italic", "i"],
  ["underlined", "u"],
  ["lb", "br"],
]);

function hexOf({ hex = "" }: Readonly<Record<string, string>>): string | null {
  return /^[0-9a-f]{1,4}$/i.test(hex) ? String.fromCharCode(Number.parseInt(hex, 16)) : null;
}

function startTag(name: string, attributes: Readonly<Record<string, string>>): string {
  const written = Object.entries(attributes)
    .filter(([key]) => !key.startsWith("xml"))
    .map(([key, value]) => ` ${key}="${value.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`);
  return `<${name}${written.join("")}>`;
}

function standsForNothing(name: string, span: Span): InlineProblem {
  return { span, message: `an empty <${name}> that the export did not make stands for nothing` };
}

/**
 * Removes XLIFF codes that a platform has escaped to text, such as
 * `<ph id="query-1">{{query}}</ph>`. `lost` is the first empty one, or null.
 */
export function withoutEscapedCodes(text: string): {
  readonly text: string;
  readonly lost: string | null;
} {
  let lost: string | null = null;
  const found = text.replace(ESCAPED_CODE, (code: string, name: string) => {
    const isEmpty = /\/\s*(?:>|&gt;)$/u.test(code) && !/^(?:g|mrk|pc)$/iu.test(name);
    if (isEmpty) lost ??= code;
    return "";
  });
  return { text: found, lost };
}

const ESCAPED_CODE =
  /(?:<|&lt;)\/?(ph|x|g|bx|ex|bpt|ept|it|mrk|pc|sc|ec)(?=[\s/>]|&gt;)(?:[^<>&]|&(?!gt;|lt;))*(?:>|&gt;)/giu;
