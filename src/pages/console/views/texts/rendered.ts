import type { VNode } from "preact";
import { h } from "preact";
import { html } from "htm/preact";
import { directionOf, fill, nameLanguage } from "../../../shared/words.ts";
import type { LineAnswer } from "../../../../api/console.ts";
import { nameState, describeUse } from "../../words.ts";
import { Pending, useAnswer, useView } from "../context.ts";
import { nameOfText } from "./text-panel.ts";

interface RenderedProps {
  readonly text: string;
  readonly locale: string;
}

/** Shows a text as readers see it, with its markup rendered and its placeholders marked. */
export function Rendered({ text, locale }: RenderedProps): VNode {
  return html`<blockquote lang=${locale} dir=${directionOf(locale)}>
    ${renderMarkup(text)}
  </blockquote>`;
}

interface InsteadProps {
  readonly of: Change;
  /** True if readers see it once the draft is published. */
  readonly drafted: boolean;
}

/** Shows the sentence that readers get if the owner has no text, and its origin. */
function Instead({ of: { locale, key, id, instance }, drafted }: InsteadProps): VNode {
  const { words, language, bot } = useView();
  const [, channel = ""] = /\.channels\.([^.[]+)/.exec(id) ?? [];
  const draft = drafted ? { draft: "yes" } : {};
  const query = new URLSearchParams({ instance: instance ?? bot, channel, ...draft }).toString();
  const answer = useAnswer<LineAnswer>(`texts/${locale}/${key}?${query}`);
  if (answer.value === null) return html`<${Pending} of=${answer} />`;
  const found = answer.value.wordings.find(
    (one) =>
      one.when === undefined && !(one.origin === "own" && one.locale === locale && one.rule === id),
  );
  // The published text hides the one that was used before it.
  if (found === undefined) return html`<p class="quiet">${words.afterwordSpeaks}</p>`;
  const origin = nameState(found.origin, words);
  const name = nameLanguage(found.locale, language);
  return html`<${Rendered} text=${found.text} locale=${found.locale} />
    <p class="quiet"><small>${fill(words.saidOf, { language: name, origin })}</small></p>`;
}

type Child = VNode | string;

/** The elements that texts use. Of others, only the content is shown. */
const SHOWN = new Set("b strong i em u s code br p ul ol li a".split(" "));

/** Renders markup without the browser's parser, which the page's security policy forbids. */
export function renderMarkup(text: string): readonly Child[] {
  const open: { readonly name: string; readonly children: Child[] }[] = [
    { name: "", children: [] },
  ];
  const close = (): void => {
    const last = open.pop();
    if (last !== undefined) open.at(-1)?.children.push(createElement(last.name, last.children));
  };
  for (const part of text.split(/(<\/?[a-z][^<>]*>|\{\{[^{}]+\}\})/i)) {
    const [, end, name = ""] = /^<(\/?)([a-z][a-z\d]*)\b/i.exec(part) ?? [];
    const tag = name.toLowerCase();
    if (end === undefined) open.at(-1)?.children.push(showPart(part));
    else if (!SHOWN.has(tag)) continue;
    else if (tag === "br") open.at(-1)?.children.push(html`<br />`);
    else if (end === "") open.push({ name: tag, children: [] });
    else if (open.some((one) => one.name === tag)) {
      while (open.at(-1)?.name !== tag) close();
      close();
    }
  }
  while (open.length > 1) close();
  return open[0]?.children ?? [];
}

/** Creates an element. Links are underlined texts, which nobody can follow here. */
function createElement(name: string, children: readonly Child[]): VNode {
  return h(name === "a" ? "u" : name, null, ...children);
}

function showPart(part: string): Child {
  if (part.startsWith("{{")) return html`<code class="chip">${part}</code>`;
  return readEntities(part);
}

export function readEntities(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? "");
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  nbsp: "\u00a0",
};

/** A text before and after a change. */
export interface Change {
  readonly locale: string;
  readonly key: string;
  readonly id: string;
  /** Absent for the bot that the page shows. */
  readonly instance?: string;
  readonly before: string | null;
  readonly after: string | null;
}

interface PairsProps {
  readonly of: readonly Change[];
  /** The headings of the two texts. */
  readonly names: readonly [string, string];
  /** True if the second text is the draft's. */
  readonly drafted?: boolean;
}

/** Shows changes side by side, as readers see them. */
export function Pairs({ of, names, drafted = false }: PairsProps): VNode {
  const { words, language } = useView();
  return html`<ul class="pairs">
    ${of.slice(0, maxPairs).map((change) => {
      const { locale, key, id } = change;
      const show = (text: string | null, isDrafted: boolean): VNode =>
        text === null
          ? html`<${Instead} of=${change} drafted=${isDrafted} />`
          : html`<${Rendered} text=${text} locale=${locale} />`;
      return html`<li key=${`${locale} ${id}`}>
        <p class="title">
          <b>${describeUse(words, key) ?? html`<code>${key}</code>`}</b>
          <span class="quiet">
            ${" "}${nameLanguage(locale, language)}${
              id !== key && ` · ${nameOfText(id.slice(key.length), words)}`
            }
          </span>
          <a href=${`#/texts/${locale}/${key}`}>${words.openLine}</a>
        </p>
        <${Pair}
          names=${names}
          before=${show(change.before, false)}
          after=${show(change.after, drafted)}
        />
      </li>`;
    })}
    ${of.length > maxPairs && html`<li class="quiet">${`+ ${of.length - maxPairs}`}</li>`}
  </ul>`;
}

interface PairProps extends Pick<PairsProps, "names"> {
  readonly before: VNode;
  readonly after: VNode;
}

/** Shows two versions of something side by side. */
export function Pair({ names, before, after }: PairProps): VNode {
  return html`<div class="pair">
    <div>
      <p class="quiet">${names[0]}</p>
      ${before}
    </div>
    <div class="new">
      <p class="quiet">${names[1]}</p>
      ${after}
    </div>
  </div>`;
}

/** The most changes that are shown. The diff of the files has all of them. */
export const maxPairs = 100;
