import { html } from "htm/preact";
import { render } from "preact";
import { App } from "./views/app/app.ts";
import { createDesk } from "./desk.ts";
import {
  chatInAddress,
  saveDrafts,
  readSavedDrafts,
  readSavedLanguage,
  readSavedUnsent,
  saveUnsent,
} from "./saved.ts";
import { START } from "./state/state.ts";
import { createStore } from "./state/store.ts";
import { announce } from "./announce.ts";
import { directionOf, type Language, languageOf, wordsIn } from "../shared/words.ts";
import type { Words } from "./words.ts";

// The desk begins here: an ordinary client of the chat interface below its own address.
const root = document.querySelector("#desk");
const first = await loadFirstWords(languageOf([readSavedLanguage(), ...navigator.languages]));
const { language } = first;
let { words } = first;
document.documentElement.lang = language;
document.documentElement.dir = directionOf(language);
const saved = { drafts: readSavedDrafts(), unsent: readSavedUnsent() };
const store = createStore({ ...START, ...saved, selected: chatInAddress() });
const acts = createDesk({ store, words: () => words, announce });

let { drafts, chats } = store.get();
const keepWritten = (): void => {
  const desk = store.get();
  if (desk.drafts !== drafts) saveDrafts(desk.drafts);
  if (desk.chats !== chats) saveUnsent(desk);
  ({ drafts, chats } = desk);
};
store.listen(keepWritten);
// Listeners are called a moment later, which a closing page may not reach.
addEventListener("pagehide", keepWritten);
addEventListener("hashchange", () => acts.select(chatInAddress()));
addEventListener("online", () => acts.hurry());
addEventListener("offline", () => acts.doubt());
acts.open();

const demoApp = document.querySelector('meta[name="demo-app"]')?.getAttribute("content") ?? "";
const spoken = (next: typeof words): void => {
  words = next;
};
if (root instanceof HTMLElement) {
  clear(root);
  render(html`<${App} ...${{ store, acts, first, demoApp, spoken }} />`, root);
}

/** Loads the words of a language, or English ones; repeats until they arrive. */
async function loadFirstWords(
  language: Language,
): Promise<{ readonly language: Language; readonly words: Words }> {
  for (;;) {
    for (const tried of [language, "en"] as const) {
      const found = await wordsIn<Words>(tried).catch(() => null);
      if (found !== null) return { language: tried, words: found };
    }
    await retryAsked();
  }
}

/** Shows in the page that there are no texts, and waits for its button. */
function retryAsked(): Promise<void> {
  return new Promise((resolve) => {
    if (!(root instanceof HTMLElement)) return;
    const renderAgain = (): void => {
      // Elements that are created anew are read out again.
      render(null, root);
      resolve();
    };
    const alert = html`<main class="login-page">
      <div class="login">
        <p role="alert">The desk could not load its texts.</p>
        <button type="button" ref=${focus} onClick=${renderAgain}>Try again</button>
      </div>
    </main>`;
    clear(root);
    render(alert, root);
  });
}

/** Removes what the page shows before its scripts are loaded, because Preact would leave it. */
function clear(from: HTMLElement): void {
  from.querySelector(":scope > .opening")?.remove();
}

function focus(button: HTMLButtonElement | null): void {
  button?.focus();
}
