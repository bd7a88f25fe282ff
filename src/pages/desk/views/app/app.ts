import type { VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Acts } from "../../acts.ts";
import { countAttention } from "../../state/lists.ts";
import {
  figuresInAddress,
  personInAddress,
  saveLanguage,
  tagInAddress,
  ticketInAddress,
} from "../../saved.ts";
import type { Desk } from "../../state/state.ts";
import type { Store } from "../../state/store.ts";
import { clearAnnouncements, showAttention } from "../../announce.ts";
import { Bar } from "./bar.ts";
import { ChatPane } from "../chats/chat.ts";
import { ViewProvider, nameOf, useView } from "../context.ts";
import type { Titled, View } from "../context.ts";
import { LogoutDialog } from "../dialogs.ts";
import { ChatList } from "./chat-list.ts";
import { useKeptFocus } from "./keep-focus.ts";
import { Later } from "../later.ts";
import { LoginAgain, LoginPage } from "./login.ts";
import { KeysSheet, TeamSheet, useShortcuts } from "./sheets.ts";
import type { Sheet } from "./sheets.ts";
import { directionOf, fillPage, wordsIn } from "../../../shared/words.ts";
import type { Language } from "../../../shared/words.ts";
import type { Words } from "../../words.ts";

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
  const [titled, entitle] = useState<Titled>({ at: "", title: "" });
  const speaking = { words, language, speak: (next: Language) => void speak(next) };
  const view: View = { desk, acts, ...speaking, demoApp, entitle };
  return html`<${ViewProvider} value=${view}><${Page} titled=${titled} /><//>`;
}

interface PageProps {
  /** The ticket or person that was opened last. */
  readonly titled: Titled;
}

function Page({ titled }: PageProps): VNode | null {
  const view = useView();
  const { desk } = view;
  const { phase, selected } = desk;
  const count = useMemo(() => countAttention(desk), [desk.chats, desk.me, desk.ticketsToDo]);
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
  const [{ ticket, tag, person, period }, setPlace] = useState(placeInAddress);
  useEffect(() => {
    const look = (): void => setPlace(placeInAddress());
    addEventListener("hashchange", look);
    // The address may have changed between the first drawing and now.
    look();
    return () => removeEventListener("hashchange", look);
  }, []);
  const title = titleOf(view, { ticket, person, period }, titled);
  useEffect(() => showAttention(count, title), [count, title]);
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
          ? html`<${Later}
              key="figures"
              load=${loadFigures}
              props=${{ period }}
              className="figures"
            />`
          : ticket === null
            ? html`<${ChatList} />${person === null ? html`<${ChatPane} />` : html`<${Later} key="person" load=${loadPerson} props=${{ id: person }} className="chat person" />`}`
            : html`<${Later}
                key="tickets"
                load=${loadTickets}
                props=${{ open: ticket, tag }}
                className="chat"
              />`
      }
    </div>
    ${sheet === "keys" && html`<${KeysSheet} done=${handleDone} />`}
    ${sheet === "team" && html`<${TeamSheet} done=${handleDone} />`}
    ${sheet === "logout" && html`<${LogoutDialog} done=${handleDone} />`}
    ${phase === "expired" && html`<${LoginAgain} />`}
  </div>`;
}

/** Writes the title of the tab: what is open, and the page's name. */
function titleOf(
  view: View,
  { ticket, person, period }: Omit<ReturnType<typeof placeInAddress>, "tag">,
  { at, title }: Titled,
): string {
  const { desk, words } = view;
  const named = (address: string): string => (at === address ? title : "");
  const nameOpen = (): string => {
    if (period !== null) return words.figures;
    if (ticket === "new") return words.newTicket;
    if (ticket !== null) return named(`#tickets/${ticket}`) || words.tickets;
    if (person !== null) return named(`#people/${person}`);
    const chat = desk.selected === null ? undefined : desk.chats.get(desk.selected);
    return chat === undefined ? "" : nameOf(view, chat.chat.creator);
  };
  const open = nameOpen();
  return open === "" ? words.desk : `${open} – ${words.desk}`;
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
  return (await import("../figures/figures.ts")).FiguresView;
}

async function loadTickets() {
  return (await import("../tickets/tickets.ts")).Tickets;
}

async function loadPerson() {
  return (await import("./person.ts")).PersonPane;
}

function placeInAddress() {
  return {
    ticket: ticketInAddress(),
    tag: tagInAddress(),
    person: personInAddress(),
    period: figuresInAddress(),
  };
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
