import type { VNode } from "preact";
import { html } from "htm/preact";
import type {
  ContentFields,
  ContentNames,
  PublishedContent,
} from "../../../../api/console-contents.ts";
import { formatNumber } from "../../../shared/format.ts";
import { fill, nameLanguage } from "../../../shared/words.ts";
import type { Words } from "../../words.ts";
import { useView } from "../context.ts";
import { maxPairs, Pair, Rendered } from "../texts/rendered.ts";

interface ContentPairsProps {
  readonly of: readonly PublishedContent[];
  /** The headings of the two states. */
  readonly states: readonly [string, string];
  /** How many more there are. */
  readonly more?: number;
}

/** Contents before and after a change, as readers see them. */
export function ContentPairs({ of, states, more = 0 }: ContentPairsProps): VNode | null {
  const { words, language } = useView();
  if (of.length === 0) return null;
  const left = more + Math.max(0, of.length - maxPairs);
  return html`<ul class="pairs">
    ${of.slice(0, maxPairs).map((change) => {
      const { id, language: locale, before, after, names } = change;
      const show = (fields: ContentFields | null): VNode =>
        fields === null
          ? html`<p class="quiet">–</p>`
          : html`<${Rendered} text=${writeContent(fields, words, names)} locale=${locale} />`;
      return html`<li key=${`${locale} ${id}`}>
        <p class="title">
          <a href=${`#/contents/${locale}/${id}`}>${nameContent(change, words, language)}</a>
        </p>
        <${Pair} names=${states} before=${show(before)} after=${show(after)} />
      </li>`;
    })}
    ${left > 0 && html`<li class="quiet">${fill(words.moreLines, { count: formatNumber(left, language) })}</li>`}
  </ul>`;
}

/** Names a content by its title and language. */
export function nameContent(
  { id, language: locale, before, after }: PublishedContent,
  words: Words,
  language: string,
): string {
  const title = (after ?? before)?.title || String(id);
  return fill(words.lineIn, { line: title, language: nameLanguage(locale, language) });
}

/**
 * A content as one text with markup: its phrases, its answers, and when it is shown. Categories and
 * contents without a name are shown by their number.
 */
export function writeContent(fields: ContentFields, words: Words, names: ContentNames): string {
  const { title, alternatives, answer, categories, related, published, hidden } = fields;
  const { publishFrom, expires } = fields;
  const facts = [
    ...(categories.length > 0
      ? [`${words.categories}: ${nameAll(categories, names.categories)}`]
      : []),
    ...(related.length > 0 ? [`${words.relatedContents}: ${nameAll(related, names.related)}`] : []),
    ...(published ? [] : [words.offline]),
    ...(hidden ? [words.byLinkOnly] : []),
    ...(publishFrom === null ? [] : [`${words.shownFrom} ${publishFrom}`]),
    ...(expires === null ? [] : [`${words.shownUntil} ${expires}`]),
  ];
  return `<p><b>${escape(title)}</b></p>${writeList(alternatives)}${answer.join("<br>")}${writeList(facts)}`;
}

function nameAll(ids: readonly number[], names: Readonly<Record<string, string>>): string {
  return ids.map((id) => names[id] || String(id)).join(", ");
}

function writeList(entries: readonly string[]): string {
  return entries.length === 0
    ? ""
    : `<ul>${entries.map((one) => `<li>${escape(one)}</li>`).join("")}</ul>`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
