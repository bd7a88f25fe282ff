import type { FigurePeriod } from "../../api/chat/schema-figures.ts";
import type { DeskSession } from "./api.ts";
import { isRecord } from "./state/events.ts";
import type { Desk, Outgoing } from "./state/state.ts";

/**
 * The data that a reload needs, kept in this tab alone; and the choice of alerts, kept in the
 * browser.
 */

export function readSavedSession(): DeskSession | null {
  const saved = read("desk-session");
  if (!isRecord(saved)) return null;
  const { appId, agent, token } = saved;
  const whole = [appId, agent, token].every((one) => typeof one === "string" && one !== "");
  return whole ? { appId: String(appId), agent: String(agent), token: String(token) } : null;
}

export function saveSession(session: DeskSession | null): void {
  write("desk-session", session);
}

export function readSavedDrafts(): ReadonlyMap<string, string> {
  const saved = read("desk-drafts");
  if (!Array.isArray(saved)) return new Map();
  return new Map(
    saved.flatMap((pair: unknown) =>
      Array.isArray(pair) && typeof pair[0] === "string" && typeof pair[1] === "string"
        ? [[pair[0], pair[1]] as const]
        : [],
    ),
  );
}

export function saveDrafts(drafts: ReadonlyMap<string, string>): void {
  write("desk-drafts", drafts.size === 0 ? null : [...drafts]);
}

/** Messages that were not sent, with the keys under which each is said once. */
export function readSavedUnsent(): Desk["unsent"] {
  const saved = read("desk-unsent");
  if (!Array.isArray(saved)) return new Map();
  const found = saved.flatMap((one: unknown): readonly [string, Outgoing][] => {
    if (!isRecord(one)) return [];
    const { chat, key, text, after } = one;
    if (typeof chat !== "string" || typeof key !== "string" || typeof text !== "string") return [];
    const unsent = { key, text, after: Number(after), file: null, reason: "", sentAs: "" };
    return [[chat, { ...unsent, state: "failed", retryable: true, unreached: true }]];
  });
  const byChat = Map.groupBy(found, ([chat]) => chat);
  return new Map([...byChat].map(([chat, all]) => [chat, all.map(([, one]) => one)]));
}

/** Files are not kept: a page may not read them again. */
export function saveUnsent({ chats, unsent }: Desk): void {
  const known = [...chats].map(([chat, { outgoing }]) => [chat, outgoing] as const);
  const all = [...new Map([...unsent, ...known])].flatMap(([chat, outgoing]) =>
    outgoing.flatMap(({ key, text, after, file, state }) =>
      file === null && state !== "sent" ? { chat, key, text, after } : [],
    ),
  );
  write("desk-unsent", all.length === 0 ? null : all);
}

/** The language that the agent chose; null for the browser's. */
export function readSavedLanguage(): string | null {
  const saved = read("desk-language");
  return typeof saved === "string" ? saved : null;
}

export function saveLanguage(language: string): void {
  write("desk-language", language);
}

/** How the agent is alerted: by sound, by the system's notifications. Kept in this browser. */
export interface Alerts {
  readonly sound: boolean;
  readonly system: boolean;
}

export function readSavedAlerts(): Alerts {
  const saved = read("desk-alerts", "localStorage");
  const { sound, system } = isRecord(saved) ? saved : {};
  return { sound: sound === true, system: system === true };
}

export function saveAlerts(alerts: Alerts): void {
  write("desk-alerts", alerts, "localStorage");
}

/** The chat that the address names, so that links and the browser's history open one. */
export function chatInAddress(): string | null {
  return decodePart(/^#chat\/(.+)$/.exec(location.hash)?.[1]);
}

/**
 * The ticket that the address names, `new` for one that is being written, empty for none of the
 * list; null where it shows chats.
 */
export function ticketInAddress(): string | null {
  if (tagInAddress() !== null) return "";
  return /^#tickets(?:\/(\d{1,15}|new))?$/.exec(location.hash)?.slice(1).join("") ?? null;
}

/** The tag whose tickets the address names, or null. */
export function tagInAddress(): string | null {
  return decodePart(/^#tickets\/tag\/(.+)$/.exec(location.hash)?.[1]);
}

export function addressOfTag(tag: string): string {
  return `#tickets/tag/${encodeURIComponent(tag)}`;
}

/** Decodes a part of the address; null where it is missing or broken. */
function decodePart(part: string | undefined): string | null {
  if (part === undefined) return null;
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** The period of the figures that the address names; null where it shows something else. */
export function figuresInAddress(): FigurePeriod | null {
  const period = /^#figures(?:\/(today|week|quarter))?$/.exec(location.hash);
  if (period === null) return null;
  const named = period[1];
  return named === "week" || named === "quarter" ? named : "today";
}

/** The person whose chats and tickets the address names, or null. */
export function personInAddress(): string | null {
  return /^#people\/([\w-]{1,200})$/.exec(location.hash)?.[1] ?? null;
}

/** The ticket by which a person is named who need not have a chat, or null. */
export function ticketOfPerson(person: string): string | null {
  return /^ticket-(\d{1,15})$/.exec(person)?.[1] ?? null;
}

export function addressOfAsker(ticket: number): string {
  return `#people/ticket-${ticket}`;
}

export function addressOf(chat: string): string {
  return `#chat/${encodeURIComponent(chat)}`;
}

/**
 * The link that begins a mail to an address. `?` and `&` may stand in an address (RFC 5322), and
 * would name further receivers and a text in the link (RFC 6068).
 */
export function linkToMail(address: string): string {
  return `mailto:${encodeURIComponent(address).replaceAll("%40", "@")}`;
}

type StorageName = "sessionStorage" | "localStorage";

/** Storage may be switched off: then a reload starts from nothing. */
function read(name: string, storage: StorageName = "sessionStorage"): unknown {
  try {
    const text = globalThis[storage].getItem(name);
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

function write(name: string, value: unknown, storage: StorageName = "sessionStorage"): void {
  try {
    if (value === null) globalThis[storage].removeItem(name);
    else globalThis[storage].setItem(name, JSON.stringify(value));
  } catch {
    // As above.
  }
}
