import { createContext } from "preact";
import type { VNode } from "preact";
import { html } from "htm/preact";
import {
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "preact/hooks";
import type { ContentFinding } from "../../../api/console-contents.ts";
import type { Draft, DraftChange, Finding } from "../../../api/console.ts";
import type { ConsoleSession } from "../../../api/console-session.ts";
import { saveFile } from "../../shared/save-file.ts";
import { fill } from "../../shared/words.ts";
import { ask } from "../api.ts";
import { FailedCall } from "../../shared/failed-call.ts";
import { sayFinding, sayRefusal, type Sentence } from "../findings.ts";
import { describeUse, type Words } from "../words.ts";

/** All views of the console share this. */
export interface View {
  readonly words: Words;
  /** The language of the page. */
  readonly language: string;
  readonly token: string;
  readonly session: ConsoleSession;
  /** The instance that is shown. */
  readonly bot: string;
  /** Empty means every channel. */
  readonly channel: string;
  /** The hashes of nodes whose snapshots in force differ. */
  readonly snapshots: readonly string[];
  /** Called with every draft that was received. */
  readonly noteDraft: (draft: Draft) => void;
  /**
   * Called with the reason why a line's text is not in the draft, and with an empty problem once it
   * is.
   */
  readonly noteUnkept: (route: string, problem: string) => void;
  /** Reads again whose token it is, and the snapshot in force. */
  readonly renew: () => Promise<void>;
}

/** Texts that are typed and not in the draft yet, by route. They outlive the view. */
export const unkept = new Map<string, string>();

const Shared = createContext<View | null>(null);
export const SharedView = Shared.Provider;

export function useView(): View {
  const view = useContext(Shared);
  if (view === null) throw new Error("unreachable: a view outside of the console");
  return view;
}

/** True for a token that may put texts of this language into a draft. */
export function mayEdit(session: ConsoleSession, locale: string): boolean {
  const { languages } = session;
  return canEdit(session) && (languages === null || languages.includes(locale));
}

/** True for a view that the token may open. Only an embedded backend has contents. */
export function hasView(session: ConsoleSession, view: string): boolean {
  if (view === "import") return session.contents && canEdit(session);
  return view !== "contents" || session.contents;
}

/** True for a token that may have a draft. */
export function canEdit({ role, editable }: ConsoleSession): boolean {
  return editable && role !== "view";
}

export function mayPublish({ role, editable }: ConsoleSession): boolean {
  return editable && (role === "publish" || role === "admin");
}

/** True for a token that may read readers' own words. */
export function mayReadQuestions({ role }: ConsoleSession): boolean {
  return role === "publish" || role === "admin";
}

/** True if a bot uses another text in this line once the change is published. */
export function changesLine(
  { instances, locale, key }: DraftChange,
  bot: string,
  ofLocale: string,
  ofKey: string,
): boolean {
  return locale === ofLocale && key === ofKey && instances.includes(bot);
}

/** An answer of the API. The last good value stays until the next one arrives. */
export interface ApiAnswer<T> {
  readonly value: T | null;
  readonly problem: string | null;
  readonly again: () => void;
  /** Takes over an answer that was read elsewhere. */
  readonly put: (value: T) => void;
}

/** Reads a path of the API. @param path null if nothing is read */
export function useAnswer<T>(path: string | null, json?: unknown): ApiAnswer<T> {
  const { token, words } = useView();
  const [state, change] = useState<{ value: T | null; problem: string | null }>(nothing);
  const [count, next] = useState(0);
  const body = json === undefined ? "" : JSON.stringify(json);
  useEffect(() => {
    if (path === null) return;
    let current = true;
    void ask<T>(token, path, json)
      .then((value) => current && change({ value, problem: null }))
      .catch((error: unknown) => {
        if (current) change(({ value }) => ({ value, problem: problemOf(error, words) }));
      });
    return () => {
      current = false;
    };
  }, [path, body, token, count]);
  return {
    ...state,
    again: useCallback(() => next((before) => before + 1), []),
    put: useCallback((value: T) => change({ value, problem: null }), []),
  };
}

const nothing = { value: null, problem: null };

export function problemOf(error: unknown, words: Words): string {
  if (!(error instanceof FailedCall)) return fill(words.failed, { reason: String(error) });
  if (error.status === 0) return words.unreachable;
  if (error.status === 401) return words.tokenWrong;
  if (error.status === 429) return words.tokenWait;
  const { reason, params } = error;
  const explanation = reason === null ? null : sayRefusal(reason, params, words, languageOfPage());
  return explanation ?? fill(words.failed, { reason: error.message });
}

/** As {@link problemOf}, for a text that was typed; with what can be done if a token is refused. */
export function problemOfTyped(error: unknown, words: Words): string {
  const isRefused = error instanceof FailedCall && (error.status === 401 || error.status === 403);
  return `${problemOf(error, words)}${isRefused ? ` ${words.typedStays}` : ""}`;
}

/** The language of the page. */
function languageOfPage(): string {
  return document.documentElement.lang;
}

/** Shown while an answer is loading, or why it could not be loaded. */
export function Pending({ of }: { readonly of: ApiAnswer<unknown> }): VNode | null {
  const { words } = useView();
  const { value, problem, again } = of;
  if (problem !== null) {
    return html`<p class="problem" role="alert">
      ${problem} <button type="button" onClick=${again}>${words.again}</button>
    </p>`;
  }
  return value === null ? html`<p class="quiet" role="status">${words.loading}</p>` : null;
}

interface FindingsProps {
  readonly of: readonly (Finding & { readonly key?: string; readonly locale?: string } & Pick<
      ContentFinding,
      "content"
    >)[];
  /** True if each leads to its line or content. */
  readonly linked?: boolean;
}

/** Findings of the check, with file and line. */
export function Findings({ of, linked = false }: FindingsProps): VNode {
  const { words, language } = useView();
  return html`<ul class="findings">
    ${of.map(({ content, key, locale, ...finding }) => {
      const { file, line, severity, params } = finding;
      const position = line > 0 ? fill(words.writtenIn, { file, line }) : file;
      return html`<li class=${severity}>
        <b>${words[severity]}</b>${" "}
        <${SentenceText} of=${sayFinding(finding, words, language)} />${" "}
        ${file !== "" && params?.["row"] === undefined && html`<small>${position}</small>`}
        ${
          linked &&
          content !== undefined &&
          html` <a href=${`#/contents/${content.language}/${content.id}`}>${words.openContent}</a>`
        }
        ${
          linked &&
          key !== undefined &&
          html` <a href=${`#/texts/${locale}/${key}`}>${words.openLine}</a>`
        }
      </li>`;
    })}
  </ul>`;
}

/** A sentence in the page's language, and the remainder that exists only in English. */
export function SentenceText({ of: { text, english } }: { readonly of: Sentence }): VNode {
  return html`${text}${text !== null && english !== null && " "}${
    english !== null && html`<span lang="en" dir="ltr">${english}</span>`
  }`;
}

/** Describes when a line is used, in the page's language or, if it has no words, in English. */
export function Use({ line, english }: { readonly line: string; readonly english: string }): VNode {
  const { words } = useView();
  const use = describeUse(words, line);
  return use === null
    ? html`<span lang="en" dir="auto">${english}</span>`
    : html`<span>${use}</span>`;
}

/** Shows the hash of the snapshot in force, for operators who compare nodes. */
export function SnapshotDetails({ of }: { readonly of: readonly string[] }): VNode {
  const { words } = useView();
  return html`<details>
    <summary>${words.details}</summary>
    ${words.snapshot}: ${of.map((one) => html`<code key=${one}>${one.slice(0, 12)}</code> `)}
  </details>`;
}

/** Saves a text as a file. */
export function save(name: string, text: string): void {
  saveFile(name, URL.createObjectURL(new Blob([text])));
}

/** Opens a view, such as `texts/fr/welcome`, so that links and the browser's history know it. */
export function go(route: string): void {
  location.hash = `#/${route}`;
}

/** Gives the focus back to the button that opened something, once that is closed. */
export function useOpener(isOpen: boolean) {
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return opener;
}
