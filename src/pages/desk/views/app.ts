import type { VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useMemo, useState, useRef } from "preact/hooks";
import type { Acts } from "../acts.ts";
import { countAttention } from "../lists.ts";
import {
  figuresInAddress,
  personInAddress,
  saveAlerts,
  readSavedAlerts,
  saveLanguage,
  ticketInAddress,
} from "../saved.ts";
import type { Desk } from "../state.ts";
import type { Store } from "../store.ts";
import { clearAnnouncements, showAttention } from "../announce.ts";
import { Bar, LanguageSwitch } from "./bar.ts";
import { ChatPane } from "./chat.ts";
import { ViewProvider, nameOf, useView } from "./context.ts";
import type { View } from "./context.ts";
import { LogoutDialog } from "./dialogs.ts";
import { ChatList } from "./chat-list.ts";
import { useKeptFocus } from "./keep-focus.ts";
import { Later } from "./later.ts";
import { KeysSheet, TeamSheet, useShortcuts } from "./sheets.ts";
import type { Sheet } from "./sheets.ts";
import { directionOf, fill, fillPage, wordsIn } from "../../shared/words.ts";
import type { Language } from "../../shared/words.ts";
import type { Words } from "../words.ts";

export interface AppProps {
  readonly store: Store<Desk>;
  readonly acts: Acts;
  readonly first: { readonly language: Language; readonly words: Words };
  readonly demoApp: string;
  /** Called with the words of the language that was chosen. */
  readonly spoken: (words: Words) => void;
}

/** The whole page. */
export function App({ store, acts, first, demoApp, spoken }: AppProps): VNode {
  const [desk, setDesk] = useState(store.get());
  const [{ language, words }, setSpeech] = useState(first);
  useEffect(() => {
    setDesk(store.get());
    return store.listen(() => setDesk(store.get()));
  }, []);
  useEffect(() => {
    document.documentElement.lang = language;
    document.documentElement.dir = directionOf(language);
    fillPage(words);
    spoken(words);
  }, [language]);
  const speak = async (next: Language): Promise<void> => {
    const known = await wordsIn<Words>(next);
    saveLanguage(next);
    setSpeech({ language: next, words: known });
  };
  const view: View = { desk, acts, words, language, demoApp, speak: (next) => void speak(next) };
  return html`<${ViewProvider} value=${view}><${Page} /><//>`;
}

function Page(): VNode | null {
  const view = useView();
  const { desk, words } = view;
  const { phase, selected } = desk;
  const count = useMemo(() => countAttention(desk), [desk.chats, desk.me, desk.ticketsToDo]);
  const chat = selected === null ? undefined : desk.chats.get(selected);
  const title =
    chat === undefined ? words.desk : `${nameOf(view, chat.chat.creator)} – ${words.desk}`;
  useEffect(() => showAttention(count, title), [count, title]);
  const [sheet, show] = useState<Sheet>("none");
  useEffect(() => {
    if (phase !== "out") return;
    clearAnnouncements();
    show("none");
  }, [phase]);
  useShortcuts(view, show);
  useTicketCount();
  useKeptFocus();
  const handleDone = (): void => show("none");
  const [{ ticket, person, period }, setPlace] = useState(placeInAddress);
  useEffect(() => {
    const look = (): void => setPlace(placeInAddress());
    addEventListener("hashchange", look);
    // The address may have changed between the first drawing and now.
    look();
    return () => removeEventListener("hashchange", look);
  }, []);
  if (phase === "opening") return null;
  if (phase === "out") return html`<${LoginPage} ended=${desk.me !== null} />`;
  return html`<div
    class=${`desk ${selected === null && person === null && (ticket ?? "") === "" ? "at-list" : "at-chat"}`}
  >
    <${Bar}
      show=${show}
      at=${period !== null ? "figures" : ticket !== null ? "tickets" : "chats"}
    />
    <${Problem} />
    <div class="panes">
      ${
        period !== null
          ? html`<${Later} key="figures" load=${loadFigures} props=${{ period }} place="figures" />`
          : ticket === null
            ? html`<${ChatList} />${person === null ? html`<${ChatPane} />` : html`<${Later} key="person" load=${loadPerson} props=${{ id: person }} place="chat person" />`}`
            : html`<${Later}
                key="tickets"
                load=${loadTickets}
                props=${{ open: ticket }}
                place="chat"
              />`
      }
    </div>
    ${sheet === "keys" && html`<${KeysSheet} done=${handleDone} />`}
    ${sheet === "team" && html`<${TeamSheet} done=${handleDone} />`}
    ${sheet === "logout" && html`<${LogoutDialog} done=${handleDone} />`}
    ${phase === "expired" && html`<${LoginAgain} />`}
  </div>`;
}

/** Counts the tickets to do, for the bar and the title, for as long as the agent may read any. */
function useTicketCount(): void {
  const { desk, acts } = useView();
  const mayRead = desk.phase === "in" && desk.me?.rights.TICKET_VIEW === true;
  useEffect(() => {
    // A count that fails is made the next time.
    if (mayRead) acts.tickets.list({ view: "new", length: "1" }).catch(() => undefined);
  }, [desk.ticketRound, mayRead]);
}

async function loadFigures() {
  return (await import("./figures.ts")).FiguresView;
}

async function loadTickets() {
  return (await import("./tickets.ts")).Tickets;
}

async function loadPerson() {
  return (await import("./person.ts")).PersonPane;
}

function placeInAddress() {
  return { ticket: ticketInAddress(), person: personInAddress(), period: figuresInAddress() };
}

/** Shows the last failure, until it is dismissed. */
function Problem(): VNode | readonly VNode[] {
  const { desk, acts, words } = useView();
  return html`<div class="problems" role="alert">
      ${
        desk.problem !== null &&
        html`<p class="problem">
          <span dir="auto">${desk.problem}</span>
          <button type="button" onClick=${acts.forgetProblem}>${words.dismiss}</button>
        </p>`
      }
    </div>
    <div class="problems" role="status">
      ${
        desk.notice !== null &&
        html`<p class="notice">
          <span dir="auto">${desk.notice}</span>
          <button type="button" onClick=${acts.forgetProblem}>${words.dismiss}</button>
        </p>`
      }
    </div>`;
}

/** The page before login. */
function LoginPage({ ended }: { readonly ended: boolean }): VNode {
  const { words } = useView();
  return html`<main class="login-page">
    <div class="login">
      <h1>${words.desk}</h1>
      <p class="quiet">${words.signInAbout}</p>
      ${ended && html`<p class="notice" role="status">${words.sessionEnded}</p>`}
      <${LoginForm} />
      <div class="login-foot"><${LanguageSwitch} /></div>
    </div>
  </main>`;
}

/** Covers a desk whose session has ended; the desk behind it stays as it is. */
function LoginAgain(): VNode {
  const { words } = useView();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return html`<dialog
    ref=${dialog}
    class="login"
    aria-labelledby="again-title"
    aria-describedby="again-about"
    onCancel=${(event: Event) => event.preventDefault()}
  >
    <h2 id="again-title">${words.signIn}</h2>
    <p id="again-about">${words.sessionEnded} ${words.nothingLost}</p>
    <${LoginForm} />
  </dialog>`;
}

function LoginForm(): VNode {
  const { desk, acts, words, demoApp } = useView();
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const known = desk.me?.login ?? "";
  useEffect(() => (known === "" ? first.current : password.current)?.focus(), []);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (!(event.target instanceof HTMLFormElement)) return;
    const form = new FormData(event.target);
    const readField = (name: string): string => {
      const value = form.get(name);
      return typeof value === "string" ? value : "";
    };
    setBusy(true);
    setProblem(null);
    saveAlerts({ ...readSavedAlerts(), sound: form.has("sound") });
    const given = { appId: readField("app").trim(), login: readField("login").trim() };
    const wrong = await acts.login({ ...given, password: readField("password") });
    setBusy(false);
    setProblem(wrong);
    if (wrong !== null) password.current?.select();
  };
  const app = demoApp === "" ? readLastApp() : demoApp;
  return html`<form onSubmit=${submit} aria-busy=${busy}>
    ${label(
      "app",
      words.appId,
      html`<input
        id="login-app"
        name="app"
        required
        autocomplete="off"
        spellcheck=${false}
        dir="auto"
        defaultValue=${app}
      />`,
    )}
    ${label(
      "login",
      words.login,
      html`<input
        id="login-login"
        name="login"
        required
        autofocus=${known === ""}
        autocomplete="username"
        spellcheck=${false}
        dir="auto"
        defaultValue=${known}
        ref=${first}
      />`,
    )}
    ${label(
      "password",
      words.password,
      html`<input
        id="login-password"
        name="password"
        type="password"
        required
        autocomplete="current-password"
        aria-describedby="login-problem"
        autofocus=${known !== ""}
        ref=${password}
      />`,
    )}
    <${SoundChoice} />
    <p id="login-problem" class="problem" role="alert">${problem}</p>
    <button class="primary" disabled=${busy}>${busy ? words.signingIn : words.signIn}</button>
    ${
      demoApp !== "" &&
      html`<p class="quiet">
        ${fill(words.demoHint, { login: "demo-agent", password: "demo-agent" })}
      </p>`
    }
  </form>`;
}

/** Invitations end soon: agents choose a sound for them before the first one comes. */
function SoundChoice(): readonly VNode[] {
  const { words } = useView();
  return [
    html`<label class="choice">
      <input
        type="checkbox"
        name="sound"
        aria-describedby="login-sound"
        defaultChecked=${readSavedAlerts().sound}
      />
      ${words.alertSound}
    </label>`,
    html`<p id="login-sound" class="quiet">${words.alertsAbout}</p>`,
  ];
}

function label(name: string, text: string, input: VNode): VNode {
  return html`<label for=${`login-${name}`}>${text}</label>${input}`;
}

/** An address such as `/desk?app=shop` fills in the field; the id is no secret. */
function readLastApp(): string {
  return new URLSearchParams(location.search).get("app") ?? "";
}
