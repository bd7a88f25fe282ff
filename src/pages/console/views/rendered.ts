import type { VNode } from "preact";
import { h } from "preact";
import { html } from "htm/preact";
import { nameLanguage } from "../../shared/words.ts";
import { useOf } from "../words.ts";
import { useView } from "./context.ts";
import { nameOfText } from "./text-panel.ts";

interface RenderedProps {
  /** Null: nothing of the owner's is said. */
  readonly text: string | null;
  readonly locale: string;
}

/** A text as a reader sees it: its markup has its effect, and placeholders stand apart. */
export function Rendered({ text, locale }: RenderedProps): VNode {
  const { words } = useView();
  if (text === null) return html`<p class="quiet">${words.afterwordSpeaks}</p>`;
  return html`<blockquote lang=${locale} dir="auto">${render(text)}</blockquote>`;
}

type Child = VNode | string;

/** Elements that texts use; the content of others is shown without them. */
const SHOWN = new Set("b strong i em u s code br p ul ol li a".split(" "));

/** Reads markup without the browser's parser, which the page's policy does not allow. */
function render(text: string): readonly Child[] {
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

/** A link leads nowhere here. */
function createElement(name: string, children: readonly Child[]): VNode {
  return h(name === "a" ? "u" : name, null, ...children);
}

function showPart(part: string): Child {
  if (part.startsWith("{{")) return html`<code class="chip">${part}</code>`;
  return part.replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? "");
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
  readonly before: string | null;
  readonly after: string | null;
}

interface PairsProps {
  readonly of: readonly Change[];
  /** The headings of the two texts. */
  readonly names: readonly [string, string];
}

/** Changes as readers see them, side by side. */
export function Pairs({ of, names }: PairsProps): VNode {
  const { words, language } = useView();
  return html`<ul class="pairs">
    ${of.slice(0, mostPairs).map(
      ({ locale, key, id, before, after }) =>
        html`<li key=${`${locale} ${id}`}>
          <p class="title">
            <b>${useOf(words, key) ?? html`<code>${key}</code>`}</b>
            <span class="quiet">
              ${" "}${nameLanguage(locale, language)}${
                id !== key && ` · ${nameOfText(id.slice(key.length), words)}`
              }
            </span>
            <a href=${`#/texts/${locale}/${key}`}>${words.openLine}</a>
          </p>
          <div class="pair">
            <div>
              <p class="quiet">${names[0]}</p>
              <${Rendered} text=${before} locale=${locale} />
            </div>
            <div class="new">
              <p class="quiet">${names[1]}</p>
              <${Rendered} text=${after} locale=${locale} />
            </div>
          </div>
        </li>`,
    )}
    ${of.length > mostPairs && html`<li class="quiet">${`+ ${of.length - mostPairs}`}</li>`}
  </ul>`;
}

/** Nobody reads more of them; the diff of the files has all. */
const mostPairs = 100;
