import type { VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Acts } from "./desk.ts";
import { attention } from "./lists.ts";
import { saveLanguage } from "./saved.ts";
import type { Desk } from "./state.ts";
import type { Store } from "./store.ts";
import { clearAnnouncements, showAttention } from "./announce.ts";
import { Bar } from "./view-bar.ts";
import { ChatPane } from "./view-chat.ts";
import { ViewProvider, nameOf, useView } from "./view-context.ts";
import type { View } from "./view-context.ts";
import { ChatList } from "./view-list.ts";
import { LoginAgain, LoginPage } from "./view-login.ts";
import { directionOf, wordsIn } from "./words.ts";
import type { Language, Words } from "./words.ts";

export interface AppProps {
  readonly store: Store<Desk>;
  readonly acts: Acts;
  readonly first: { readonly language: Language; readonly words: Words };
  readonly demoApp: string;
  /** Told the words that are spoken from now on. */
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
    spoken(words);
  }, [language]);
  const speak = async (next: Language): Promise<void> => {
    const known = await wordsIn(next);
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
  const count = useMemo(() => attention(desk), [desk.chats, desk.me]);
  const chat = selected === null ? undefined : desk.chats.get(selected);
  const title =
    chat === undefined ? words.desk : `${nameOf(view, chat.chat.creator)} – ${words.desk}`;
  useEffect(() => showAttention(count, title), [count, title]);
  useEffect(() => {
    if (phase === "out") clearAnnouncements();
  }, [phase]);
  if (phase === "opening") return null;
  if (phase === "out") return html`<${LoginPage} ended=${desk.me !== null} />`;
  return html`<div class=${`desk ${selected === null ? "at-list" : "at-chat"}`}>
    <${Bar} />
    <${Problem} />
    <div class="panes">
      <${ChatList} />
      <${ChatPane} />
    </div>
    ${phase === "expired" && html`<${LoginAgain} />`}
  </div>`;
}

/** What went wrong last, until it is dismissed. */
function Problem(): VNode {
  const { desk, acts, words } = useView();
  return html`<div class="problems" role="alert">
    ${
      desk.problem !== null &&
      html`<p class="problem">
        <span dir="auto">${desk.problem}</span>
        <button type="button" onClick=${acts.forgetProblem}>${words.dismiss}</button>
      </p>`
    }
  </div>`;
}
