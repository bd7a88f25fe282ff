/** Replaces every character that could begin markup or end an attribute by an entity. */
export function escapeMarkup(text: string): string {
  return text.replace(SPECIAL, (character) => ENTITIES.get(character) ?? "");
}

const SPECIAL = /[&<>"']/gu;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
]);

/** One tag of a text. */
export const TAG = /<(\/?)([a-z][a-z0-9-]*)(?:\s[^<>]*)?(\/?)>/gi;
const VOID = new Set("area base br col embed hr img input link meta source track wbr".split(" "));

/** A mistake in the nesting of a text's tags. */
export interface MarkupFault {
  /** The unmatched tag, such as `<b>`. */
  readonly tag: string;
  readonly message: string;
}

/** Finds the first mistake in the nesting of a text's tags, or null. */
export function findMarkupFault(text: string): MarkupFault | null {
  const open: string[] = [];
  for (const [, closing, written = "", selfClosed] of text.matchAll(TAG)) {
    const name = written.toLowerCase();
    if (VOID.has(name) || selfClosed === "/") continue;
    if (closing !== "/") {
      open.push(name);
      continue;
    }
    const last = open.pop();
    const tag = `</${name}>`;
    if (last === undefined) return { tag, message: `${tag} closes nothing` };
    if (last === name) continue;
    return { tag: `<${last}>`, message: `<${last}> is still open where ${tag} stands` };
  }
  const last = open.at(-1);
  return last === undefined ? null : { tag: `<${last}>`, message: `<${last}> is never closed` };
}

/** The position in a text's HTML at which a value is inserted. */
export interface ValuePosition {
  /**
   * `content`: between tags, or in an attribute that people read. `address`: in an attribute that
   * holds an address, a script or a style. `attribute`: anywhere else within a tag.
   */
  readonly kind: "content" | "address" | "attribute";
  /** The attribute that it is in, in lower case; null outside of one. */
  readonly attribute: string | null;
  /** True if the attribute's value begins with it. */
  readonly first: boolean;
}

/**
 * Returns the position of each part of a text. Strings are read as HTML; any other part is a value.
 *
 * @example
 * positionsOf(['<a href="https://shop.example/?q=', { slot: "query" }, '">'])[1].kind; // "address"
 */
export function positionsOf(parts: readonly unknown[]): readonly ValuePosition[] {
  let state: MarkupState = CONTENT;
  return parts.map((part) => {
    if (typeof part !== "string") {
      if (state.at === "equals") state = { ...state, at: "value" };
      const position = positionIn(state);
      state = { ...state, empty: false };
      return position;
    }
    const position = positionIn(state);
    state = readMarkup(state, part);
    return position;
  });
}

interface MarkupState {
  /** `name`: in the name of a tag or attribute; `equals`: after an attribute's `=`. */
  readonly at: "content" | "comment" | "tag" | "name" | "equals" | "value";
  readonly name: string;
  readonly quote: string;
  /** True while an attribute's value is empty. */
  readonly empty: boolean;
}

const CONTENT: MarkupState = { at: "content", name: "", quote: "", empty: true };

function positionIn({ at, name, quote, empty }: MarkupState): ValuePosition {
  if (at === "content" || at === "comment") {
    return { kind: "content", attribute: null, first: false };
  }
  if (at !== "value") return { kind: "attribute", attribute: null, first: false };
  const attribute = name.toLowerCase();
  const isRead = quote !== "" && READ_BY_PEOPLE.has(attribute);
  const kind = ENCODED.test(attribute) ? "address" : isRead ? "content" : "attribute";
  return { kind, attribute, first: empty };
}

/** Returns the state after a string. */
function readMarkup(before: MarkupState, text: string): MarkupState {
  let state = before;
  for (let index = 0; index < text.length; index++) {
    if (state.at === "content") {
      index = text.indexOf("<", index);
      if (index === -1) break;
      if (text.startsWith("<!--", index)) state = { ...state, at: "comment" };
      else if (/[a-z/]/iu.test(text[index + 1] ?? "")) state = { ...CONTENT, at: "name" };
    } else if (state.at === "comment") {
      index = text.indexOf("-->", index);
      if (index === -1) break;
      index += 2;
      state = CONTENT;
    } else state = readTag(state, text[index] ?? "");
  }
  return state;
}

function readTag(state: MarkupState, character: string): MarkupState {
  const { at, name, quote } = state;
  const isBlank = /\s/u.test(character);
  if (at === "value") {
    const isOver = quote === "" ? isBlank : character === quote;
    if (quote === "" && character === ">") return CONTENT;
    return isOver ? { ...CONTENT, at: "tag" } : { ...state, empty: state.empty && isBlank };
  }
  if (character === ">") return CONTENT;
  if (at === "equals") {
    if (isBlank) return state;
    const isQuote = character === '"' || character === "'";
    return { at: "value", name, quote: isQuote ? character : "", empty: isQuote };
  }
  if (character === "=" && name !== "") return { ...state, at: "equals" };
  if (isBlank || character === "/") return { ...state, at: "tag" };
  return { ...state, at: "name", name: at === "name" ? name + character : character };
}

/** Attributes whose value people read, in a browser or through a screen reader. */
const READ_BY_PEOPLE: ReadonlySet<string> = new Set(
  "title alt placeholder label summary abbr aria-label aria-description aria-placeholder aria-valuetext".split(
    " ",
  ),
);

/** Attributes that hold addresses, scripts or styles, where a value must not be inserted as text. */
const ENCODED =
  /^(?:(?:xlink:)?href|src|srcset|action|formaction|cite|data|poster|background|longdesc|ping|manifest|on.*|style|data-(?:.*-)?(?:href|src|srcset|url|uri|link))$/u;
