import type { VNode } from "preact";
import { html } from "htm/preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import type { Draft, Session } from "../../../api/console.ts";
import { ask, CallError, differingSnapshots, keepToken } from "../api.ts";
import { fill, listOf } from "../../shared/words.ts";
import type { Words } from "../words.ts";
import { ChangesView } from "./changes.ts";
import { edits, problemOf, SharedView, unkept, valueOf } from "./context.ts";
import { HealthView, RequestsView } from "./gateway.ts";
import { TextsView } from "./texts.ts";
import { TryView } from "./try.ts";

const VIEWS = ["texts", "changes", "try", "requests", "health"] as const;

export interface AppProps {
  readonly words: Words;
  readonly language: string;
  readonly token: string | null;
}

/** The whole page: who asks, which view, which bot. */
export function App({ words, language, token: brought }: AppProps): VNode {
  const [token, changeToken] = useState(brought);
  const [session, changeSession] = useState<Session | null>(null);
  const [problem, changeProblem] = useState("");
  const [tried, changeTried] = useState("");
  const [place, changePlace] = useState(placeInAddress);
  const [bot, changeBot] = useState("");
  const [channel, changeChannel] = useState("");
  const [drafted, changeDrafted] = useState(0);
  const [snapshots, changeSnapshots] = useState<readonly string[]>([]);
  const [lost, lose] = useState({ place: "", problem: "" });
  const notKept = useCallback(
    (at: string, why: string) =>
      lose((before) => (why !== "" || before.place === at ? { place: at, problem: why } : before)),
    [],
  );
  const seen = useCallback(({ changes }: Draft) => changeDrafted(changes.length), []);
  const renew = useCallback(async () => {
    if (token === null) return;
    // What a view asks says better that the gateway does not answer.
    const found = await ask<Session>(token, "session").catch(() => null);
    if (found !== null) changeSession(found);
    changeSnapshots(differingSnapshots());
  }, [token]);

  useEffect(() => {
    const enter = async (given: string): Promise<void> => {
      try {
        const found = await ask<Session>(given, "session");
        keepToken(given);
        changeSession(found);
        changeBot(found.bots[0]?.name ?? "");
        if (edits(found)) seen(await ask<Draft>(given, "draft"));
      } catch (error) {
        // A gateway that does not answer says nothing about the token.
        if (error instanceof CallError && error.status === 401) keepToken(null);
        else changeTried(given);
        changeToken(null);
        changeProblem(problemOf(error, words));
      }
    };
    if (token !== null) void enter(token);
  }, [token]);
  // The first view has what was asked on entering.
  useEffect(() => {
    if (session !== null) void renew();
  }, [place]);
  useEffect(() => {
    const listener = (): void => changePlace(placeInAddress());
    // The browser asks before it throws something away.
    const stay = (event: Event): void => {
      if (unkept.size > 0) event.preventDefault();
    };
    addEventListener("hashchange", listener);
    addEventListener("beforeunload", stay);
    return () => {
      removeEventListener("hashchange", listener);
      removeEventListener("beforeunload", stay);
    };
  }, []);

  if (token === null) {
    const open = (given: string): void => {
      changeProblem("");
      changeTried("");
      changeToken(given);
    };
    return html`<${TokenForm} words=${words} tried=${tried} problem=${problem} open=${open} />`;
  }
  if (session === null) return html`<p class="quiet" role="status">${words.loading}</p>`;
  const leave = (): void => {
    keepToken(null);
    changeSession(null);
    changeToken(null);
  };
  const [name = "texts", ...rest] = place.split("/");
  const current = VIEWS.find((view) => view === name) ?? "texts";
  const chosen = session.bots.find((one) => one.name === bot);
  const view = { words, language, token, session, bot, channel, snapshots, seen, notKept, renew };
  return html`<${SharedView} value=${view}>
    <section class="bar" aria-label=${words.console}>
      <h1 class="unseen">${words.console}</h1>
      <nav aria-label=${words.views}>
        ${VIEWS.map(
          (one) =>
            html`<a href=${`#/${one}`} aria-current=${one === current ? "page" : undefined}>
              ${words[one]}${one === "changes" && drafted > 0 && html` <b class="count">${drafted}</b>`}
            </a>`,
        )}
      </nav>
      <p
        class=${session.inForce ? "state good" : "state alarm"}
        role="status"
        title=${`${words.snapshot} ${session.snapshot.slice(0, 12)}`}
      >
        <span aria-hidden="true">${session.inForce ? "● " : "▲ "}</span>${
          session.inForce ? words.inForce : words.notInForce
        }
      </p>
      <label>
        <span>${words.bot}</span>
        <select value=${bot} onChange=${(event: Event) => changeBot(valueOf(event))}>
          ${session.bots.map((one) => html`<option value=${one.name}>${one.name}</option>`)}
        </select>
      </label>
      <label>
        <span>${words.channel}</span>
        <select value=${channel} onChange=${(event: Event) => changeChannel(valueOf(event))}>
          <option value="">${words.everyChannel}</option>
          ${chosen?.channels.map((one) => html`<option value=${one}>${one}</option>`)}
        </select>
      </label>
      <button type="button" onClick=${leave}>${words.leave}</button>
    </section>
    <main>
      ${
        snapshots.length > 0 &&
        html`<p class="problem" role="alert">
          ${fill(words.otherNodes, {
            snapshots: listOf(
              snapshots.map((one) => one.slice(0, 8)),
              language,
            ),
          })}
        </p>`
      }
      ${
        lost.problem !== "" &&
        lost.place !== place &&
        html`<p class="problem" role="alert">
          ${lost.problem} <a href=${`#/${lost.place}`}>${words.openLine}</a>
        </p>`
      }
      ${current === "texts" && html`<${TextsView} opened=${rest} />`}
      ${current === "changes" && html`<${ChangesView} log=${rest[0] === "log"} />`}
      ${current === "try" && html`<${TryView} situation=${rest[0] ?? ""} locale=${rest[1] ?? ""} />`}
      ${current === "requests" && html`<${RequestsView} />`}
      ${current === "health" && html`<${HealthView} />`}
    </main>
  <//>`;
}

function placeInAddress(): string {
  return location.hash.replace(/^#\//, "");
}

interface TokenFormProps {
  readonly words: Words;
  /** What was given before, and may be right. */
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
