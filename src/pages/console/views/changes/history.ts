import type { VNode } from "preact";
import { html } from "htm/preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { PublishedContent } from "../../../../api/console-contents.ts";
import type { Publication, Published, PublishedChange } from "../../../../api/console.ts";
import { formatNumber } from "../../../shared/format.ts";
import { fill, nameLanguage, listOf } from "../../../shared/words.ts";
import { ask } from "../../api.ts";
import { IMPORT_NAMES, nameLine, type Words } from "../../words.ts";
import { useConflicts } from "./conflicts.ts";
import { ContentPairs, nameContent } from "./content-pairs.ts";
import { mayPublish, Pending, useAnswer, useOpener, useView } from "../context.ts";
import type { BeforeAfter } from "./before-after.ts";
import { Later } from "../later.ts";
import { Pair, Pairs } from "../texts/rendered.ts";

interface HistoryProps {
  readonly finish: (result: Published) => void;
}

/** Lists all publications. Each may be taken back. */
export function History({ finish }: HistoryProps): VNode {
  const { words, session } = useView();
  const answer = useAnswer<{ readonly history: readonly Publication[] }>("history");
  return html`<div class="tools">
      <h2>${words.history}</h2>
      ${session.role === "admin" && html`<a href="#/changes/log">${words.auditLog}</a>`}
    </div>
    <${Pending} of=${answer} />
    ${answer.value?.history.length === 0 && html`<p class="quiet">${words.noHistory}</p>`}
    <ol class="history">
      ${answer.value?.history.map(
        (one) => html`<${Entry} key=${one.id} of=${one} finish=${finish} />`,
      )}
    </ol>`;
}

function Entry({ of, finish }: { readonly of: Publication } & HistoryProps): VNode {
  const { words, language, session } = useView();
  const [isAsked, change] = useState(false);
  const opener = useOpener(isAsked);
  const [isOpen, open] = useState(false);
  const changes = of.files.flatMap((file) => file.changes);
  const time = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  const contents = of.files.flatMap((file) => file.contents);
  const more = countMore(of);
  const lines = nameLines({ changes, contents, more }, words, language);
  const { label, restores, imported } = of;
  return html`<li>
    <p>
      <b>
        ${
          imported !== null
            ? sayImport(of, imported, words)
            : restores === null
              ? fill(words.changedLines, { label, lines })
              : fill(words.tookBackLines, { label, number: restores, lines })
        } </b
      >${" "}
      <small>${`#${of.id}`} ${time.format(new Date(of.at))}</small>
    </p>
    ${of.note !== "" && html`<p>${of.note}</p>`}
    <details
      onToggle=${({ currentTarget }: Event) => {
        if (currentTarget instanceof HTMLDetailsElement) open(currentTarget.open);
      }}
    >
      <summary>${words.details}</summary>
      ${isOpen && session.insights && html`<${Later} load=${loadBeforeAfter} props=${{ of }} />`}
      ${
        isOpen &&
        html`<${Pairs} of=${changes} names=${[words.before, words.after]} />
          <${ContentPairs} of=${contents} states=${[words.before, words.after]} more=${more} />`
      }
      <details>
        <summary>${words.asFiles}</summary>
        ${of.files.map(
          (one) =>
            html`<${Diff} key=${one.file} of=${one.diff} /> ${
                one.more.lines > 0 &&
                html`<p class="quiet">
                  ${fill(words.moreLines, { count: formatNumber(one.more.lines, language) })}
                </p>`
              }`,
        )}
      </details>
    </details>
    ${
      mayPublish(session) &&
      (isAsked
        ? html`<${Restore} of=${of} finish=${finish} leave=${() => change(false)} />`
        : html`<button type="button" ref=${opener} onClick=${() => change(true)}>
            ${words.restore}
          </button>`)
    }
  </li>`;
}

/** Counts the contents that the answer left out. */
function countMore({ files }: Publication): number {
  return files.reduce((sum, { more }) => sum + more.contents, 0);
}

/** Names the file of an import, and the number of its contents. */
function sayImport(
  { label }: Publication,
  { format, source, contents: count }: NonNullable<Publication["imported"]>,
  words: Words,
): string {
  const values = { label, file: source, format: IMPORT_NAMES[format] ?? format, count };
  return fill(words.broughtContents, values);
}

const loadBeforeAfter = async (): Promise<typeof BeforeAfter> =>
  (await import("./before-after.ts")).BeforeAfter;

interface NamedChanges {
  readonly changes: readonly PublishedChange[];
  readonly contents: readonly PublishedContent[];
  /** How many more contents there are. */
  readonly more: number;
}

/** Names the lines of a publication with their languages, the first of many. */
function nameLines(
  { changes, contents, more }: NamedChanges,
  words: Words,
  language: string,
): string {
  const named = [
    ...changes.map(({ key, locale }) =>
      fill(words.lineIn, {
        line: nameLine(words, key),
        language: nameLanguage(locale, language),
      }),
    ),
    ...contents.map((one) => nameContent(one, words, language)),
  ];
  const names = [...new Set(named)];
  const left = more + names.length - maxNamed;
  if (left <= 0) return listOf(names, language);
  const others = fill(words.moreLines, { count: left });
  return listOf([...names.slice(0, maxNamed), others], language);
}

const maxNamed = 3;

interface RestoreProps extends HistoryProps {
  readonly of: Publication;
  readonly leave: () => void;
}

/** Shows what taking a publication back would change, and asks. */
function Restore({ of, finish, leave }: RestoreProps): VNode {
  const { words, language, token } = useView();
  const { conflicts, problem, attempt } = useConflicts();
  const question = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => question.current?.focus(), []);
  const changes = of.files
    .flatMap((file) => file.changes)
    .map(({ before, after, ...one }) => ({ ...one, before: after, after: before }));
  const contents = of.files
    .flatMap((file) => file.contents)
    .map(({ before, after, ...one }) => ({ ...one, before: after, after: before }));
  const restore = async (): Promise<void> =>
    finish(await ask<Published>(token, `history/${of.id}/restore`, { files: over }));
  const over = Object.fromEntries(conflicts.map(({ file, hash }) => [file, hash ?? ""]));
  return html`<section class="restore">
    <h3 tabindex="-1" ref=${question}>${words.restoreAsk}</h3>
    ${
      conflicts.length === 0 &&
      html`<${Pairs} of=${changes} names=${[words.nowSaid, words.afterwards]} />
        <${ContentPairs}
          of=${contents}
          states=${[words.nowSaid, words.afterwards]}
          more=${countMore(of)}
        />`
    }
    ${problem !== "" && html`<p class="problem" role="alert">${problem}</p>`}
    ${
      conflicts.length > 0 &&
      html`<p class="problem" role="alert">
          ${fill(words.chooseTexts, { file: listOf(Object.keys(over), language) })}
        </p>
        ${conflicts.map(
          ({ file, theirs, yours }) =>
            html`<h3><code>${file}</code></h3>
              <${Pair}
                names=${[words.theirs, words.before]}
                before=${html`<pre>${theirs}</pre>`}
                after=${html`<pre>${yours}</pre>`}
              />`,
        )}`
    }
    <p class="choices">
      <button type="button" class="primary" onClick=${() => void attempt(restore)}>
        ${conflicts.length > 0 ? words.restoreOver : words.restoreNow}
      </button>
      <button type="button" onClick=${leave}>${words.cancel}</button>
    </p>
  </section>`;
}

/** A unified diff, its lines told apart by sign and colour. */
export function Diff({ of }: { readonly of: string }): VNode {
  return html`<pre class="diff" dir="ltr" tabindex="0">
${of
      .replace(/\n$/, "")
      .split("\n")
      .map((line) => html`<span class=${KINDS[line[0] ?? ""] ?? ""}>${line}${"\n"}</span>`)}</pre>`;
}

const KINDS: Readonly<Record<string, string>> = { "+": "come", "-": "gone", "@": "quiet" };
