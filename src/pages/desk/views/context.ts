import { createContext } from "preact";
import type { Context, VNode } from "preact";
import { html } from "htm/preact";
import { useContext, useEffect } from "preact/hooks";
import type { Acts } from "../acts.ts";
import type { Desk } from "../state/state.ts";
import type { Language } from "../../shared/words.ts";
import type { Words } from "../words.ts";
import { fill } from "../../shared/words.ts";

/** The values that every part of the page may need. */
export interface View {
  readonly desk: Desk;
  readonly acts: Acts;
  readonly words: Words;
  readonly language: Language;
  readonly speak: (language: Language) => void;
  /** Id of the demo app where it works, or empty. */
  readonly demoApp: string;
  /** Sets the tab's title to what is open at an address. */
  readonly entitle: (titled: Titled) => void;
}

/** A ticket or person that is open, by its address and name. */
export interface Titled {
  readonly at: string;
  readonly title: string;
}

const context: Context<View | null> = createContext<View | null>(null);

/** Surrounds the page and provides the values that its parts need. */
export const ViewProvider: Context<View | null>["Provider"] = context.Provider;

export function useView(): View {
  const view = useContext(context);
  if (view === null) throw new Error("unreachable: a part of the desk stands outside of it");
  return view;
}

/** Names in the tab's title what is open at an address, as long as the page shows it. */
export function useTitle(at: string, title: string): void {
  const { entitle } = useView();
  useEffect(() => entitle({ at, title }), [at, title]);
}

/** The name that people are shown: agents by their nickname. */
export function nameOf({ desk, words }: Pick<View, "desk" | "words">, id: string): string {
  if (id === "assistant") return words.assistant;
  if (id === "system" || id === "") return words.system;
  const person = desk.people.get(id);
  return (person?.nickname || person?.name) ?? words.somebody;
}

/** The initials of a name, and one of six colours that a person keeps. */
export function avatarOf(view: Pick<View, "desk" | "words">, id: string): VNode {
  const words = nameOf(view, id).trim().split(/\s+/);
  const [first = "", last = ""] = [words[0], words.length > 1 ? words.at(-1) : ""];
  const letters = [first, last].map((word) => /^./su.exec(word)?.[0] ?? "").join("");
  const codes = Array.from(id, (letter) => letter.codePointAt(0) ?? 0);
  const sum = codes.reduce((total, code) => total + code, 0);
  return html`<span class=${`avatar colour-${sum % 6}`} aria-hidden="true">
    ${letters.toLocaleUpperCase()}
  </span>`;
}

/** How long a user waits, as the style shows it: amber from 2 minutes on, red from 5. */
export function waitClass(since: number, now: number): string {
  const seconds = now / 1000 - since;
  return seconds > 300 ? "very-late" : seconds > 120 ? "late" : "quiet";
}

/** A room as people know it. */
export function nameRoom(
  { desk, words }: Pick<View, "desk" | "words">,
  id: number | string,
): string {
  const room = desk.rooms.find((one) => one.id === String(id));
  if (room === undefined || room.name === room.id) return words.room.replace("{name}", String(id));
  return room.name;
}

/** The time of day, with the date where it is another day. */
export function formatTime(seconds: number, language: Language): string {
  const date = new Date(seconds * 1000);
  const today = new Date().toDateString() === date.toDateString();
  const name = `${language} ${today}`;
  const format =
    formats.get(name) ??
    new Intl.DateTimeFormat(language, {
      timeStyle: "short",
      ...(!today && { dateStyle: "medium" }),
    });
  formats.set(name, format);
  return format.format(date);
}

// Creating one takes longer than using it a hundred times.
const formats = new Map<string, Intl.DateTimeFormat>();

/** How long ago something was, in the largest fitting unit. */
export function formatSince(seconds: number, language: Language, now: number): string {
  const past = Math.max(0, Math.round(now / 1000 - seconds));
  const [amount, unit] =
    past < 3_600
      ? ([Math.floor(past / 60), "minute"] as const)
      : past < 86_400
        ? ([Math.floor(past / 3_600), "hour"] as const)
        : ([Math.floor(past / 86_400), "day"] as const);
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" }).format(
    amount,
  );
}

/** Why a person is needed: the triggers of escalation, some with a name after a colon. */
const WHY: ReadonlyMap<string, keyof Words> = new Map([
  ["words", "whyWords"],
  ["no-results", "whyNoResults"],
  ["errors", "whyErrors"],
  ["negative-ratings", "whyRatings"],
  ["rule", "whyRule"],
  ["escalate", "whyBot"],
  ["flag", "whyBot"],
  ["callback", "whyBot"],
  ["direct-call", "whyBot"],
] as const);

/** Reasons that a list can be filtered by. */
export const WHY_NAMES = ["words", "no-results", "errors", "negative-ratings", "escalate"] as const;

/** A trigger in words; the reason of another client in readable form. */
export function explainReason(reason: string, words: Words): string {
  const [kind = "", ...name] = reason.split(":");
  const key = WHY.get(kind);
  return key === undefined ? readCode(reason) : fill(words[key], { name: name.join(":") });
}

/** Why a chat is closed: the stored words, and the shown ones. */
export const REASONS = {
  solved: "reasonSolved",
  unsolved: "reasonUnsolved",
  "no-answer": "reasonNoAnswer",
  abuse: "reasonAbuse",
} as const;

/** A stored reason in words; that of another client in readable form. */
export function nameReason(reason: string, words: Words): string {
  const known = new Map<string, keyof Words>([
    ...Object.entries(REASONS),
    ["inactivity", "closedIdle"],
    ["unanswered", "reasonUnanswered"],
  ]);
  const name = known.get(reason);
  return name === undefined ? readCode(reason) : words[name];
}

/** Writes a code such as `vip_customer` as `Vip customer`; a sentence stays as it is. */
function readCode(reason: string): string {
  if (!/^[\p{L}\p{N}]+(?:[-_.:][\p{L}\p{N}]+)*$/u.test(reason)) return reason;
  const words = reason.replaceAll(/[-_.:]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A count of tickets, as far as the service counts. */
export function countText(count: number): string {
  return count >= maxCounted ? `${maxCounted - 1}+` : String(count);
}

const maxCounted = 1_000;
