import type { VNode } from "preact";
import { html } from "htm/preact";
import { useMemo, useState } from "preact/hooks";
import type { ContentList, ContentSummary } from "../../../../api/console-contents.ts";
import type { InsightsAnswer, UsageCounts } from "../../../../api/console-insights.ts";
import { Select, valueOf } from "../../../shared/fields.ts";
import { fill, nameLanguage } from "../../../shared/words.ts";
import { pathOfPeriod } from "../../insights.ts";
import { useSettled } from "../settled.ts";
import { ContentEditor } from "./content.ts";
import { canEdit, Findings, mayEdit, Pending, useAnswer, useView } from "../context.ts";
import { Usage } from "../texts/usage.ts";

/** @param opened a content's language and id, or `new`, and a question to try there */
export function ContentsView({ opened }: { readonly opened: readonly string[] }): VNode {
  const [locale = "", id = "", question = ""] = opened;
  return id === ""
    ? html`<${List} />`
    : html`<${ContentEditor}
        key=${`${locale} ${id} ${question}`}
        locale=${locale}
        id=${id}
        question=${new URLSearchParams(`asked=${question}`).get("asked") ?? ""}
      />`;
}

/** The last search, which an owner finds again after closing a content. */
let kept = { search: "", language: "", filter: "" };

function List(): VNode {
  const { words, language, session, bot } = useView();
  const [filter, setFilter] = useState(kept);
  kept = filter;
  const query = new URLSearchParams({ ...useSettled(filter) }).toString();
  const answer = useAnswer<ContentList>(`contents?${query}`);
  const list = answer.value;
  const counted = useContentUsage();
  const own = session.bots.find(({ name }) => name === bot)?.language ?? "en";
  const known = (list?.languages ?? []).map((one) => one.language);
  const first = filter.language || (known.includes(own) ? own : (known[0] ?? own));
  const set = (name: string) => (value: string) => setFilter({ ...filter, [name]: value });
  const all = ["", words.everything] as const;
  return html`<section class="contents">
    <div class="tools">
      <h2>${words.contents}</h2>
      <p class="choices">
        ${canEdit(session) && html`<a class="button" href="#/import">${words.bringContents}</a>`}
        ${
          list?.demo !== true &&
          mayEdit(session, first) &&
          html`<a class="button primary" href=${`#/contents/${first}/new`}>${words.newContent}</a>`
        }
      </p>
    </div>
    <form class="narrowing" role="search" onSubmit=${(event: Event) => event.preventDefault()}>
      <label class="search">
        <span>${words.searchContents}</span>
        <input
          type="search"
          dir="auto"
          value=${filter.search}
          onInput=${(event: Event) => set("search")(valueOf(event))}
        />
      </label>
      <label>
        <span>${words.language}</span>
        <${Select}
          value=${filter.language}
          options=${[all, ...known.map((tag) => [tag, nameLanguage(tag, language)])]}
          change=${set("language")}
        />
      </label>
      <label>
        <span>${words.filter}</span>
        <${Select}
          value=${filter.filter}
          options=${[all, ["draft", words.inDraft], ["offline", words.offline]]}
          change=${set("filter")}
        />
      </label>
    </form>
    ${list?.demo === true && html`<p class="quiet">${fill(words.demoContents, { command: "afterword backend init" })}</p>`}
    <${Pending} of=${answer} />
    ${
      list !== null &&
      html`<${Findings} of=${list.findings.filter(({ severity }) => severity === "error")} linked />
        <p class="quiet" role="status">
          ${
            list.total === 0
              ? words.noContent
              : fill(words.contentsOf, { shown: list.contents.length, total: list.total })
          }
        </p>
        <ul class="rows">
          ${list.contents.map(
            (one) =>
              html`<${Row}
                key=${nameContent(one)}
                of=${one}
                usage=${counted?.get(nameContent(one))}
              />`,
          )}
        </ul>`
    }
  </section>`;
}

function nameContent({ language, id }: Pick<ContentSummary, "language" | "id">): string {
  return `${language}/${id}`;
}

/** Reads how often each content was the answer in the last 30 days; null if that is not known. */
function useContentUsage(): ReadonlyMap<string, UsageCounts> | null {
  const view = useView();
  const { value } = useAnswer<InsightsAnswer>(
    view.session.insights ? `${pathOfPeriod(30, view, false)}&contents=all` : null,
  );
  return useMemo(
    () => value && new Map((value.contents ?? []).map((one) => [nameContent(one), one])),
    [value],
  );
}

interface RowProps {
  readonly of: ContentSummary;
  /** Undefined if nobody got it, or nothing is counted. */
  readonly usage: UsageCounts | undefined;
}

function Row({ of, usage }: RowProps): VNode {
  const { words, language } = useView();
  const marks = [
    ...(of.draft === null ? [] : [words.inDraft]),
    ...(of.published ? [] : [words.offline]),
    ...(of.draft === "removed" ? [words.contentGoes] : []),
  ];
  return html`<li>
    <a href=${`#/contents/${of.language}/${of.id}`}>
      <b lang=${of.language}><bdi>${of.title}</bdi></b>
      <span class="quiet" lang=${of.language}>
        <bdi>${of.alternatives.slice(0, 3).join(" · ")}</bdi>
      </span>
      <small class="quiet">
        ${nameLanguage(of.language, language)} · ${of.id}
        ${usage !== undefined && html` · <${Usage} of=${usage} />`}
        ${marks.map((mark) => html` <span class="mark">${mark}</span>`)}
      </small>
    </a>
  </li>`;
}
