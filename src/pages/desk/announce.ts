/** What the page says to screen readers, in the tab's title, and on its icon. */

/** Has a text read out. The same text twice is read twice. */
export function announce(text: string, urgent = false): void {
  const region = document.querySelector(urgent ? "#urgent" : "#announced");
  if (region === null) return;
  const line = document.createElement("p");
  line.textContent = text;
  region.append(line);
  // Old lines are removed, or a screen reader would find all of them on its way through the page.
  setTimeout(() => line.remove(), 10_000);
}

/** Removes announcements that are still there: the next agent is another person. */
export function clearAnnouncements(): void {
  for (const region of document.querySelectorAll("#announced, #urgent")) region.replaceChildren();
}

const icon = (dot: string): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#0b5fa5" d="M4 6h24v16H14l-7 6v-6H4z"/>${dot}</svg>`,
  )}`;
const calm = icon("");
const marked = icon('<circle cx="25" cy="8" r="7" fill="#c3242b"/>');

/** How much waits for the agent, where the tab and the installed app show it. */
export function showAttention(count: number, title: string): void {
  document.title = count === 0 ? title : `(${count}) ${title}`;
  document.querySelector('link[rel="icon"]')?.setAttribute("href", count === 0 ? calm : marked);
  if ("setAppBadge" in navigator) {
    // Browsers refuse it to pages that are not installed.
    void navigator.setAppBadge(count).catch(() => undefined);
  }
}
