import type { VNode } from "preact";
import { html } from "htm/preact";
import type { UsageCounts } from "../../../../api/console-insights.ts";
import { directionOf, fill, nameLanguage, listOf } from "../../../shared/words.ts";
import { nameState } from "../../words.ts";
import {
  type CheckedCell,
  type CellFilter,
  fits,
  fitsCell,
  looksAtAll,
  marksOf,
  originOf,
  sentenceOf,
} from "./cells.ts";
import type { ChosenLanguages } from "./languages.ts";
import { Use, useView } from "../context.ts";
import { focusOnLine } from "./line.ts";
import { Usage } from "./usage.ts";

/** The three kinds of lines, in the order in which they are shown. */
const GROUPS = ["groupFlags", "groupRelated", "groupHandOver"] as const;
export type Group = (typeof GROUPS)[number];

export function groupOf(key: string): Group {
  if (key === "related-title") return "groupRelated";
  return key.startsWith("escalation.") ? "groupHandOver" : "groupFlags";
}

interface SentencesProps {
  readonly texts: CheckedCell;
  readonly shown: readonly string[];
  readonly chosen: ChosenLanguages;
  readonly filter: CellFilter;
  /** Folded; empty if nothing is searched. */
  readonly search: string;
  readonly opened: { readonly key: string; readonly locale: string } | null;
  /** The counts by `line language`; null if nothing is counted. */
  readonly usage: ReadonlyMap<string, UsageCounts> | null;
}

/** Shows the bot's words, line by line, in one language or in two side by side. */
export function Sentences(props: SentencesProps): VNode {
  const { words, language } = useView();
  const { chosen, shown } = props;
  const columns = columnsOf(chosen);
  return html`<table class=${`sentences of-${columns.length}`}>
    <caption class="unseen">
      ${words.sentences}
    </caption>
    <thead>
      <tr>
        <th scope="col">${words.line}</th>
        ${columns.map(
          (locale) =>
            html`<th scope="col" key=${locale} lang=${language} dir=${directionOf(locale)}>
              ${nameLanguage(locale, language)}
            </th>`,
        )}
      </tr>
    </thead>
    ${GROUPS.map((group) => {
      const keys = shown.filter((key) => groupOf(key) === group);
      return (
        keys.length > 0 &&
        html`<tbody key=${group}>
          <tr class="group">
            <th scope="rowgroup" colspan=${columns.length + 1}>
              ${words[group]} <span class="quiet">${keys.length}</span>
            </th>
          </tr>
          ${keys.map((key) => html`<${Row} key=${key} line=${key} ...${props} />`)}
        </tbody>`
      );
    })}
  </table>`;
}

function columnsOf({ first, beside }: ChosenLanguages): readonly string[] {
  return beside === "" || beside === first ? [first] : [first, beside];
}

function Row({ line, ...props }: SentencesProps & { readonly line: string }): VNode {
  const { words, language } = useView();
  const { texts, chosen } = props;
  const use = texts.keys.find(({ key }) => key === line)?.use ?? "";
  const columns = columnsOf(chosen);
  const elsewhere = findElsewhere(props, line);
  return html`<tr>
      <th scope="row">
        <${Use} line=${line} english=${use} />
        <code>${line}</code>
      </th>
      ${columns.map(
        (locale) => html`<td key=${locale}><${Sentence} ...${{ ...props, line, locale }} /></td>`,
      )}
    </tr>
    ${
      elsewhere.length > 0 &&
      html`<tr class="elsewhere">
        <td></td>
        <td colspan=${columns.length}>
          ${elsewhere
            .slice(0, maxElsewhere)
            .map(
              (locale) =>
                html`<${Sentence} key=${locale} ...${{ ...props, line, locale }} named />`,
            )}
          ${
            elsewhere.length > maxElsewhere &&
            html`<p class="quiet">
              ${fill(words.alsoIn, {
                languages: listOf(
                  elsewhere.slice(maxElsewhere).map((one) => nameLanguage(one, language)),
                  language,
                ),
              })}
            </p>`
          }
        </td>
      </tr>`
    }`;
}

/** The most languages without a column that a search or a filter shows. */
const maxElsewhere = 3;

interface SentenceProps extends SentencesProps {
  readonly line: string;
  readonly locale: string;
  /** True means no column names its language. */
  readonly named?: boolean;
}

/** One sentence, which is changed in place. */
function Sentence({ texts, line, locale, opened, usage, named = false }: SentenceProps): VNode {
  const { words, language } = useView();
  const text = sentenceOf(texts, line, locale);
  const cell = originOf(texts, line, locale);
  const state = nameState(cell.state, words);
  const from = cell.from === undefined ? "" : nameLanguage(cell.from, language);
  const name = nameLanguage(locale, language);
  const spoken = text === "" ? language : (cell.from ?? locale);
  const marks = marksOf(texts, line, locale);
  const isOpen = opened?.key === line && opened.locale === locale;
  return html`<a
    href=${`#/texts/${locale}/${line}`}
    class=${["sentence", cell.state, ...marks].join(" ")}
    data-line=${`${line} ${locale}`}
    dir=${directionOf(locale)}
    aria-current=${isOpen ? "true" : undefined}
    onClick=${() => isOpen && focusOnLine()}
  >
    <span class=${named ? "language" : "unseen"} dir=${directionOf(language)}
      >${named ? name : `${line}, ${name}: `}</span
    >
    <bdi lang=${spoken} dir=${directionOf(spoken)}>${text === "" ? words.nothingSaid : text}</bdi>
    <small dir=${directionOf(language)}>
      ${from === "" ? state : fill(words.saidOf, { language: state, origin: from })}
      ${
        usage !== null &&
        groupOf(line) !== "groupHandOver" &&
        html` · <${Usage} of=${usage.get(`${line} ${locale}`)} />`
      }
      ${marks.map((mark) => html`<b class=${mark}>${words[mark]}</b>`)}
    </small>
  </a>`;
}

/** Finds the languages without a column whose text a search or the filter matches. */
function findElsewhere({ texts, chosen, filter, search }: SentencesProps, key: string) {
  if (search === "" && !looksAtAll(filter)) return [];
  const columns = columnsOf(chosen);
  const isFound = (locale: string): boolean =>
    (search === "" || fold(sentenceOf(texts, key, locale)).includes(search)) &&
    (!looksAtAll(filter) || fitsCell(texts, key, locale, filter));
  // The other languages would only make the list longer if a column has the word.
  if (!looksAtAll(filter) && columns.some(isFound)) return [];
  const names = search !== "" && !looksAtAll(filter) && isNamed(texts, key, search);
  return names ? [] : texts.locales.filter((one) => !columns.includes(one) && isFound(one));
}

/** Lists the lines that a filter and a search leave. */
export function findLines(
  texts: CheckedCell,
  filter: CellFilter,
  search: string,
  first: string,
  useIn: (key: string) => string | null,
): readonly string[] {
  return texts.keys
    .map(({ key }) => key)
    .filter((key) => fits(texts, key, filter, first))
    .filter(
      (key) =>
        search === "" ||
        isNamed(texts, key, search) ||
        fold(useIn(key) ?? "").includes(search) ||
        texts.locales.some((locale) => fold(sentenceOf(texts, key, locale)).includes(search)),
    );
}

function isNamed({ keys }: CheckedCell, key: string, search: string): boolean {
  const use = keys.find((one) => one.key === key)?.use ?? "";
  return fold(key).includes(search) || fold(use).includes(search);
}

/** Folds a text for searches: without case, accents, or spaces around it. */
export function fold(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().trim();
}
