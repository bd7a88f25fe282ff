import { html, render } from "htm/preact";
import { App } from "./views/app.ts";
import { createDesk } from "./desk.ts";
import { chatInAddress, saveDrafts, savedDrafts, savedLanguage } from "./saved.ts";
import { START } from "./state.ts";
import { createStore } from "./store.ts";
import { announce } from "./announce.ts";
import { directionOf, languageOf, wordsIn } from "./words.ts";

// The desk begins here: an ordinary client of the chat interface below its own address.
const language = languageOf([savedLanguage(), ...navigator.languages]);
let words = await wordsIn(language);
const first = { language, words };
document.documentElement.lang = language;
document.documentElement.dir = directionOf(language);
const store = createStore({ ...START, selected: chatInAddress(), drafts: savedDrafts() });
const acts = createDesk({ store, words: () => words, announce });

let { drafts } = store.get();
const keepDrafts = (): void => {
  if (store.get().drafts === drafts) return;
  ({ drafts } = store.get());
  saveDrafts(drafts);
};
store.listen(keepDrafts);
// Listeners are called a moment later, which a closing page may not reach.
addEventListener("pagehide", keepDrafts);
addEventListener("hashchange", () => acts.select(chatInAddress()));
addEventListener("online", () => acts.hurry());
acts.open();

const place = document.querySelector("#desk");
const demoApp = document.querySelector('meta[name="demo-app"]')?.getAttribute("content") ?? "";
const spoken = (next: typeof words): void => {
  words = next;
};
if (place instanceof HTMLElement) {
  render(html`<${App} ...${{ store, acts, first, demoApp, spoken }} />`, place);
}
