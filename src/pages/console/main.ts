import { html } from "htm/preact";
import { render } from "preact";
import { directionOf, fillPage, languageOf, wordsIn } from "../shared/words.ts";
import { takeToken } from "./api.ts";
import { keepFocus } from "./keep-focus.ts";
import { App } from "./views/app/app.ts";
import type { Words } from "./words.ts";

// The console is an ordinary client of the gateway's API.
const language = languageOf(navigator.languages);
const words = await wordsIn<Words>(language);
document.documentElement.lang = language;
document.documentElement.dir = directionOf(language);
document.title = words.console;
fillPage(words);
const root = document.querySelector("#console");
if (root instanceof HTMLElement) {
  keepFocus();
  render(html`<${App} words=${words} language=${language} token=${takeToken()} />`, root);
}
