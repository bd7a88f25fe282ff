// Adds the search, the page's own address, and the header in the reader's language. Without scripts
// the page lacks only these.
import { directionOf, fillPage, languageOf, wordsIn } from "./shared/words.js";

const find = document.querySelector("#find");
const input = find.querySelector("input");
const status = find.querySelector("[role=status]");
const articles = [...document.querySelectorAll("article")].map((part) => {
  const link = document.querySelector('nav a[href="#' + part.id + '"]').closest("li");
  return { part, link, text: part.textContent.toLowerCase() };
});
const groups = [...document.querySelectorAll("nav details, main section")];
find.hidden = false;
input.addEventListener("input", () => {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const { part, link, text } of articles) {
    const fits = words.every((word) => text.includes(word));
    part.hidden = link.hidden = !fits;
    if (fits) count += 1;
  }
  for (const group of groups) {
    group.hidden = !group.querySelector("article:not([hidden]), li:not([hidden])");
    if (group.localName === "details") group.open = words.length > 0;
  }
  status.textContent =
    words.length === 0 ? "" : count + (count === 1 ? " operation" : " operations");
});
const shell = document.querySelector("#shell");
/** The address below which the interfaces are. */
export const base = location.origin + location.pathname.replace(/\/docs\/?$/, "");
shell.textContent = shell.textContent.replace(/^BASE=.*/, "BASE=" + base);

const language = languageOf(navigator.languages);
if (language !== "en") {
  // The header stays in English if its words cannot be fetched.
  speak().catch(() => {});
}

async function speak() {
  const header = document.querySelector("header");
  fillPage(await wordsIn(language));
  header.lang = language;
  header.dir = directionOf(language);
}
