import { escapeMarkup, findMarkupFault, TAG } from "../../../../locales/markup.ts";
import type { OmissionCode } from "./omissions.ts";

/** An answer as HTML, and the reason why readers must not see it unchanged, or null. */
export interface ReadAnswer {
  readonly html: string;
  readonly doubt: Doubt | null;
}

/** Why readers must not see a content as it is. */
export interface Doubt {
  readonly code: Extract<OmissionCode, `unpublished-${string}`>;
  /** The part that raises it, such as a placeholder. */
  readonly text?: string;
}

/**
 * Makes HTML of another bot's answer: HTML stays, Markdown's links and bold text and bare addresses
 * become markup, line breaks stay line breaks.
 *
 * @param placeholder matches the other bot's placeholders, which Afterword would not fill
 *
 * @example
 * readAnswer("See **here**: https://shop.example").html;
 * // 'See <b>here</b>: <a href="https://shop.example">https://shop.example</a>'
 */
export function readAnswer(written: string, placeholder: RegExp | null = null): ReadAnswer {
  const text = written.replace(/\r\n?/gu, "\n").replace(CONTROLS, "").trim();
  const [found] = placeholder?.exec(text) ?? [];
  const doubt = found === undefined ? null : ({ code: "unpublished-value", text: found } as const);
  if (!hasTags(text)) return { html: toParagraphs(text), doubt };
  const fault = findMarkupFault(text);
  if (fault === null) return { html: text, doubt };
  const broken = { code: "unpublished-html", text: fault.tag } as const;
  return { html: toParagraphs(text), doubt: doubt ?? broken };
}

/** Joins a phrase to one line and removes invisible characters. */
export function readPhrase(written: string): string {
  return written.replace(CONTROLS, "").replace(/\s+/gu, " ").trim();
}

// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\ufeff]/gu;

const KNOWN_TAGS = new Set(
  "a abbr b blockquote br button code dd div dl dt em font h1 h2 h3 h4 h5 h6 hr i iframe img li ol p pre s small span strong sub sup table tbody td th thead tr u ul video".split(
    " ",
  ),
);

function hasTags(text: string): boolean {
  return [...text.matchAll(TAG)].some(([, , name = ""]) => KNOWN_TAGS.has(name.toLowerCase()));
}

function toParagraphs(text: string): string {
  const lines = text.split("\n").map((line) => toMarkup(line.trim()));
  const paragraphs = lines
    .join("\n")
    .split("\n\n")
    .filter((paragraph) => paragraph !== "")
    .map((paragraph) => paragraph.trim().replaceAll("\n", "<br>"));
  return paragraphs.length === 1
    ? (paragraphs[0] ?? "")
    : paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join("");
}

/** Converts Markdown's links and bold text, and bare addresses, in one line. */
function toMarkup(line: string): string {
  let html = "";
  let at = 0;
  for (const match of line.matchAll(MARKED)) {
    html += escapeText(line.slice(at, match.index));
    html += writeMarkup(match);
    at = match.index + match[0].length;
  }
  return html + escapeText(line.slice(at));
}

const MARKED =
  /\[(?<label>[^[\]]{1,300})\]\((?<target>(?:https?:\/\/|mailto:|tel:)[^\s()]{1,1000})\)|\*\*(?<bold>[^*\s](?:[^*]{0,300}[^*\s])?)\*\*|(?<address>https?:\/\/[^\s<>"']{1,1000})/gu;

function writeMarkup({ 0: whole, groups = {} }: RegExpMatchArray): string {
  const { label, target, bold, address } = groups;
  if (bold !== undefined) return `<b>${escapeText(bold)}</b>`;
  if (target !== undefined) return linkTo(target, label ?? target);
  if (address === undefined) return escapeText(whole);
  // Punctuation at the end belongs to the sentence and not to the address.
  let end = address.length;
  while (".,;:!?)]".includes(address.charAt(end - 1))) end -= 1;
  const bare = address.slice(0, end);
  return linkTo(bare, bare) + escapeText(address.slice(bare.length));
}

/** Writes a link as HTML. */
export function linkTo(target: string, label: string): string {
  return `<a href="${escapeMarkup(target)}">${escapeText(label)}</a>`;
}

/** Escapes text between tags, where quotes need no escape. */
function escapeText(text: string): string {
  return text
    .replace(/&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,30});)/giu, "&amp;")
    .replace(/</gu, "&lt;")
    .replace(/>/gu, "&gt;");
}
