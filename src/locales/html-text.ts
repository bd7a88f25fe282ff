import { toPlainText } from "./plain-text.ts";

/**
 * Reads an answer's HTML as a reader does: block elements on lines of their own, list items with a
 * hyphen, links with their address behind. Text without markup comes back as it is, but for
 * controls. Takes time in proportion to its length.
 */
export function textOfHtml(html: string): string {
  const lines = textOf(html, false)
    .split("\n")
    .map((line) => toPlainText(line).replaceAll(/ {2,}/gu, " "));
  return lines.filter((line) => line !== "").join("\n");
}

/** Returns the words of HTML for searches, in one line, with a space instead of each tag. */
export function wordsOfHtml(html: string): string {
  return textOf(html.slice(0, LONGEST_SEARCHED), true).replaceAll(/\s+/gu, " ").trim();
}

const LONGEST_SEARCHED = 200_000;

function textOf(html: string, wordsAlone: boolean): string {
  const nothing = wordsAlone ? " " : "";
  let text = "";
  let from = 0;
  let link: { readonly address: string; readonly start: number } | null = null;
  let hidden: string | null = null;
  for (const found of html.matchAll(TOKEN)) {
    const [whole, closing, name, attributes = "", entity = ""] = found;
    const tag = name?.toLowerCase();
    if (hidden === null) text += html.slice(from, found.index);
    from = found.index + whole.length;
    if (hidden !== null) {
      if (tag === hidden && closing === "/") hidden = null;
    } else if (tag === undefined) {
      text += whole.startsWith("&") ? decodeEntity(whole, entity) : nothing;
    } else if (HIDDEN.has(tag)) {
      if (closing === "") hidden = tag;
      text += nothing;
    } else if (wordsAlone) {
      text += " ";
    } else if (tag === "a") {
      if (link !== null) text += addressBehind(text.slice(link.start), link.address);
      const address = closing === "" ? (HREF.exec(attributes)?.[1] ?? "") : "";
      link = address === "" ? null : { address, start: text.length };
    } else if (BLOCKS.has(tag)) text += tag === "li" && closing === "" ? "\n- " : "\n";
  }
  if (hidden === null) text += html.slice(from);
  return text;
}

// A comment, a tag, or an entity. No part of it can begin within another, so a search never goes
// back.
const TOKEN = /<!--[^]*?(?:-->|$)|<(\/?)([a-z][a-z0-9-]*)((?:\s[^<>]*)?\/?)>|&(#?[0-9a-z]+);/giu;
const CODE = /^#(?:(\d{1,7})|x([0-9a-f]{1,6}))$/iu;
const HREF = /^(?:[^]*?\s)?href\s*=\s*["']?(https?:\/\/[^"'\s]+)/iu;

const HIDDEN: ReadonlySet<string> = new Set(["script", "style"]);
const BLOCKS: ReadonlySet<string> = new Set(
  "br hr p div ul ol li table tr h1 h2 h3 h4 h5 h6 blockquote".split(" "),
);

function addressBehind(label: string, address: string): string {
  return label.includes(address) ? "" : ` (${address})`;
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "],
]);

function decodeEntity(whole: string, entity: string): string {
  const [found, decimal, hex = ""] = CODE.exec(entity) ?? [];
  if (found === undefined) return NAMED.get(entity.toLowerCase()) ?? whole;
  const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}
