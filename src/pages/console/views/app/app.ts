import type { VNode } from "preact";
import { html } from "htm/preact";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Draft } from "../../../../api/console.ts";
import type { ConsoleSession } from "../../../../api/console-session.ts";
import { ask, findDifferingSnapshots, keepToken } from "../../api.ts";
import { Select, valueOf } from "../../../shared/fields.ts";
import { FailedCall } from "../../../shared/failed-call.ts";
import type { Words } from "../../words.ts";
import { ChangesView } from "../changes/changes.ts";
import {
  canEdit,
  hasView,
  problemOf,
  SharedView,
  SnapshotDetails,
  unkept,
  useView,
  type View,
} from "../context.ts";
import type { ContentsView } from "../contents/contents.ts";
import type { ImportView } from "../contents/import.ts";
import { HealthView } from "./gateway.ts";
import { toPeriod } from "../../insights.ts";
import type { InsightsView } from "../figures/insights.ts";
import { Later } from "../later.ts";
import { RequestsView } from "./requests.ts";
import { TextsView } from "../texts/texts.ts";
import { TryView } from "../try/try.ts";

const VIEWS = ["texts", "contents", "insights", "changes", "try", "requests", "health"] as const;
/** Another view leads to `import`. */
const ROUTES = [...VIEWS, "import"] as const;

const loadImport = async (): Promise<typeof ImportView> =>
  (await import("../contents/import.ts")).ImportView;

export interface AppProps {
  readonly words: Words;
  readonly language: string;
  readonly token: string | null;
}

/** The whole page: a form for the token, then the console of its owner. */
export function App({ words, language, token: brought }: AppProps): VNode {
  const [token, changeToken] = useState(brought);
  const [refused, refuse] = useState(noRefusal);
  const [lost, lose] = useState<Loss>({ route: "", problem: "" });
  const noteUnkept = useCallback(
    (at: string, why: string) =>
      lose((before) => (why !== "" || before.route === at ? { route: at, problem: why } : before)),
    [],
  );
  // The browser asks before it discards a changed form.
  useListener("beforeunload", (event) => {
    if (unkept.size > 0) event.preventDefault();
  });
  if (token === null) {
    const open = (given: string): void => {
      refuse(noRefusal);
      changeToken(given);
    };
    return html`<${TokenForm} words=${words} ...${refused} open=${open} />`;
  }
  const leave = (error?: unknown): void => {
    // A gateway that does not answer says nothing about the token.
    const isWrong = error === undefined || (error instanceof FailedCall && error.status === 401);
    if (isWrong) keepToken(null);
    const problem = error === undefined ? "" : problemOf(error, words);
    refuse({ tried: isWrong ? "" : token, problem });
    changeToken(null);
  };
  return html`<${Console} ...${{ words, language, token, leave, lost, noteUnkept }} />`;
}

const noRefusal = { tried: "", problem: "" };

interface ConsoleProps extends AppProps {
  readonly token: string;
  /** Called with the error that makes the token useless, if there is one. */
  readonly leave: (error?: unknown) => void;
  /** Kept by the page, because another token may be given for it. */
  readonly lost: Loss;
  readonly noteUnkept: View["noteUnkept"];
}

/** The views, of one bot and channel, for the owner of a token. */
function Console({ words, language, token, leave, lost, noteUnkept }: ConsoleProps): VNode {
  const route = useRoute();
  const [chosen, changeBot] = useState<string | null>(null);
  const [chosenChannel, changeChannel] = useState("");
  const [drafted, changeDrafted] = useState(0);
  const noteDraft = useCallback(
    ({ changes, contents }: Draft) => changeDrafted(changes.length + contents.length),
    [],
  );
  const { session, snapshots, renew } = useSession(token, route, noteDraft, leave);
  if (session === null) return html`<p class="quiet" role="status">${words.loading}</p>`;
  const [name = "texts", ...path] = route.split("/");
  const current = ROUTES.find((view) => view === name && hasView(session, view)) ?? "texts";
  const asCoverage = name === "coverage";
  const rest = current === name || asCoverage ? path : [];
  const bot = chosen ?? session.bots[0]?.name ?? "";
  const channels = session.bots.find(({ name: one }) => one === bot)?.channels ?? [];
  // Another bot may not have the channel.
  const channel = channels.includes(chosenChannel) ? chosenChannel : "";
  const notes = { noteDraft, noteUnkept, renew };
  const view = { words, language, token, session, bot, channel, snapshots, ...notes };
  return html`<${SharedView} value=${view}>
    <${Bar}
      current=${current}
      drafted=${drafted}
      changeBot=${changeBot}
      changeChannel=${changeChannel}
      leave=${leave}
    />
    <main tabindex="-1">
      <${Notices} lost=${isBelow(route, lost.route) ? null : lost} />
      ${current === "texts" && html`<${TextsView} opened=${rest} view=${asCoverage ? "coverage" : "texts"} />`}
      ${current === "contents" && html`<${Later} load=${loadContents} props=${{ opened: rest }} />`}
      ${
        current === "insights" &&
        html`<${Later}
          load=${loadInsights}
          props=${{ period: toPeriod(rest[0] ?? ""), showsQuestions: rest[0] === "questions" }}
        />`
      }
      ${current === "import" && html`<${Later} load=${loadImport} props=${{}} />`}
      ${current === "changes" && html`<${ChangesView} log=${rest[0] === "log"} />`}
      ${current === "try" && html`<${TryView} situation=${rest[0] ?? ""} locale=${rest[1] ?? ""} />`}
      ${current === "requests" && html`<${RequestsView} />`}
      ${current === "health" && html`<${HealthView} />`}
    </main>
  <//>`;
}

const loadContents = async (): Promise<typeof ContentsView> =>
  (await import("../contents/contents.ts")).ContentsView;
const loadInsights = async (): Promise<typeof InsightsView> =>
  (await import("../figures/insights.ts")).InsightsView;

/** Reads whose token it is, and again whenever another view is opened. */
function useSession(
  token: string,
  route: string,
  noteDraft: (draft: Draft) => void,
  leave: (error: unknown) => void,
) {
  const [session, change] = useState<ConsoleSession | null>(null);
  const [snapshots, changeSnapshots] = useState<readonly string[]>([]);
  const renew = useCallback(async () => {
    // The view itself reports that the gateway does not answer.
    const found = await ask<ConsoleSession>(token, "session").catch(() => null);
    if (found !== null) change(found);
    changeSnapshots(findDifferingSnapshots());
  }, [token]);
  // Preact cleans up after other effects only once the next view is painted.
  useLayoutEffect(() => {
    let current = true;
    const enter = async (): Promise<void> => {
      const found = await ask<ConsoleSession>(token, "session");
      if (!current) return;
      keepToken(token);
      change(found);
      if (canEdit(found)) noteDraft(await ask<Draft>(token, "draft"));
    };
    enter().catch((error: unknown) => current && leave(error));
    return () => {
      current = false;
    };
  }, [token]);
  // The first view has the data that was requested on entering.
  useEffect(() => {
    if (session !== null) void renew();
  }, [route]);
  return { session, snapshots, renew };
}

/** The view that the address names. */
function useRoute(): string {
  const [route, change] = useState(readRoute);
  useListener("hashchange", () => change(readRoute()));
  return route;
}

function useListener(event: string, listener: (event: Event) => void): void {
  useEffect(() => {
    addEventListener(event, listener);
    return () => removeEventListener(event, listener);
  }, []);
}

interface BarProps {
  readonly current: (typeof ROUTES)[number];
  /** The number of changes in the draft. */
  readonly drafted: number;
  readonly changeBot: (bot: string) => void;
  readonly changeChannel: (channel: string) => void;
  readonly leave: () => void;
}

/** Chooses view, bot and channel, and says whether the files are in force. */
function Bar({ current, drafted, changeBot, changeChannel, leave }: BarProps): VNode {
  const { words, session, bot, channel } = useView();
  const chosen = session.bots.find((one) => one.name === bot);
  const options = [["", words.everyChannel] as const, ...(chosen?.channels ?? [])];
  const links = useRef<HTMLElement>(null);
  // Narrow windows show the links in one row that scrolls.
  useLayoutEffect(() => {
    const link = links.current?.querySelector("[aria-current]");
    if (links.current !== null && link instanceof HTMLElement) scrollTo(links.current, link);
  }, [current]);
  return html`<section class="bar" aria-label=${words.console}>
    <h1 class="unseen">${words.console}</h1>
    <nav aria-label=${words.views} ref=${links}>
      ${VIEWS.filter((one) => hasView(session, one)).map(
        (one) =>
          html`<a href=${`#/${one}`} aria-current=${one === current ? "page" : undefined}>
            ${words[one]}${one === "changes" && drafted > 0 && html` <b class="count">${drafted}</b>`}
          </a>`,
      )}
    </nav>
    <p class=${session.inForce ? "state good" : "state alarm"} role="status">
      <span aria-hidden="true">${session.inForce ? "● " : "▲ "}</span>
      <span>${session.inForce ? words.inForce : words.notInForce}</span>
    </p>
    <label>
      <span>${words.bot}</span>
      <${Select} value=${bot} options=${session.bots.map(({ name }) => name)} change=${changeBot} />
    </label>
    ${
      chosen !== undefined &&
      chosen.channels.length > 0 &&
      html`<label>
        <span>${words.channel}</span>
        <${Select} value=${channel} options=${options} change=${changeChannel} />
      </label>`
    }
    <button type="button" class="leave" onClick=${() => leave()}>
      <span>${words.leave}</span>
    </button>
  </section>`;
}

/** Centres a link in its row, and leaves the page where it is. */
function scrollTo(row: HTMLElement, link: HTMLElement): void {
  const [around, own] = [row.getBoundingClientRect(), link.getBoundingClientRect()];
  row.scrollLeft += own.left + own.width / 2 - around.left - around.width / 2;
}

/** True for the route itself, and for one that only adds a question to try. */
function isBelow(route: string, parent: string): boolean {
  return route === parent || route.startsWith(`${parent}/`);
}

/** A text that could not be put into the draft. */
interface Loss {
  /** The route to its line. */
  readonly route: string;
  readonly problem: string;
}

/** Problems of every view: nodes that differ, and a text that was lost elsewhere. */
function Notices({ lost }: { readonly lost: Loss | null }): VNode {
  const { words, snapshots } = useView();
  return html`${
    snapshots.length > 0 &&
    html`<div class="problem" role="alert">
      <p>${words.otherNodes}</p>
      <${SnapshotDetails} of=${snapshots} />
    </div>`
  }
  ${
    lost !== null &&
    lost.problem !== "" &&
    html`<p class="problem" role="alert">
      ${lost.problem}
      <a href=${`#/${lost.route}`}>
        ${lost.route.startsWith("contents/") ? words.openContent : words.openLine}
      </a>
    </p>`
  }`;
}

function readRoute(): string {
  return location.hash.replace(/^#\//, "");
}

interface TokenFormProps {
  readonly words: Words;
  /** A token that was given before, and may be right. */
  readonly tried: string;
  readonly problem: string;
  readonly open: (token: string) => void;
}

function TokenForm({ words, tried, problem, open }: TokenFormProps): VNode {
  const [given, change] = useState(tried);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (given.trim() !== "") open(given.trim());
  };
  return html`<main class="opening">
    <form onSubmit=${submit}>
      <h1>${words.openTitle}</h1>
      <p class="quiet">${words.openAbout}</p>
      <label>
        <span>${words.token}</span>
        <input
          type="password"
          autocomplete="current-password"
          value=${given}
          onInput=${(event: Event) => change(valueOf(event))}
        />
      </label>
      ${problem !== "" && html`<p class="problem" role="alert">${problem}</p>`}
      <button class="primary">${words.open}</button>
    </form>
  </main>`;
}
