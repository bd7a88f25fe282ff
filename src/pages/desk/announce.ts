import { addressOf, readSavedAlerts } from "./saved.ts";

/**
 * Announces events of the page to screen readers, by sound, in the tab's title, and on its icon.
 */

/** Has a text about a chat read out. The same text twice is read twice. */
export function announce(text: string, chat: string, urgent = false): void {
  const { sound, system } = readSavedAlerts();
  if (sound) playSound();
  if (system && !document.hasFocus()) notifySystem(text, chat);
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

const createIcon = (dot: string): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#0b5fa5" d="M4 6h24v16H14l-7 6v-6H4z"/>${dot}</svg>`,
  )}`;
const calm = createIcon("");
const marked = createIcon('<circle cx="25" cy="8" r="7" fill="#c3242b"/>');

/** Shows in the tab and on the installed app how much waits for the agent. */
export function showAttention(count: number, title: string): void {
  document.title = count === 0 ? title : `(${count}) ${title}`;
  document.querySelector('link[rel="icon"]')?.setAttribute("href", count === 0 ? calm : marked);
  if ("setAppBadge" in navigator) {
    // Browsers refuse this to pages that are not installed.
    void navigator.setAppBadge(count).catch(() => undefined);
  }
}

let audio: AudioContext | null = null;
let playedAt = 0;

/** Plays two short tones; once for events at the same moment. */
export function playSound(): void {
  if (Date.now() - playedAt < 2_000) return;
  playedAt = Date.now();
  audio ??= new AudioContext();
  // A browser holds it back until the first click in the page.
  void audio.resume();
  for (const [index, frequency] of [660, 880].entries()) {
    const from = audio.currentTime + index * 0.15;
    const tone = new OscillatorNode(audio, { frequency });
    const volume = new GainNode(audio, { gain: 0.15 });
    volume.gain.exponentialRampToValueAtTime(0.001, from + 0.3);
    tone.connect(volume).connect(audio.destination);
    tone.start(from);
    tone.stop(from + 0.3);
  }
}

function notifySystem(text: string, chat: string): void {
  if (!("Notification" in globalThis) || Notification.permission !== "granted") return;
  try {
    // One for each chat, so that the next replaces it.
    const notification = new Notification(document.title, { body: text, tag: chat });
    notification.addEventListener("click", () => {
      window.focus();
      location.hash = addressOf(chat);
      notification.close();
    });
  } catch {
    // Browsers on phones leave this to service workers.
  }
}

/** Asks the browser for permission to show notifications; true if it is granted. */
export async function mayNotify(): Promise<boolean> {
  return "Notification" in globalThis && (await Notification.requestPermission()) === "granted";
}
