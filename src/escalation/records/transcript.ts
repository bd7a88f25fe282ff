import type { TicketTranscript } from "../../api/ticketing/schema.ts";
import { textOfHtml } from "../../locales/html-text.ts";
import { cutText } from "../../text.ts";
import type { EscalationRecord, TranscriptLine } from "../stores/record.ts";
import type { Scope } from "./scope.ts";

/** The lines of a conversation. */
export type Transcript = Pick<EscalationRecord, "lines" | "dropped">;

/** Limits of a stored conversation: lines, characters of one line, and bytes of all. */
export const TRANSCRIPT_LIMITS = Object.freeze({ lines: 400, characters: 4000, bytes: 262_144 });

/**
 * Adds lines. Lines that are too long are cut, and the oldest are dropped when there are too many.
 */
export function addLines(
  { lines, dropped }: Transcript,
  added: readonly TranscriptLine[],
): Transcript {
  const all = [...lines, ...added.filter(({ said }) => said.trim() !== "").map(cut)];
  let bytes = all.reduce((sum, line) => sum + sizeOf(line), 0);
  let gone = Math.max(0, all.length - TRANSCRIPT_LIMITS.lines);
  for (const line of all.slice(0, gone)) bytes -= sizeOf(line);
  while (bytes > TRANSCRIPT_LIMITS.bytes && gone < all.length - 1) {
    const line = all[gone++];
    if (line !== undefined) bytes -= sizeOf(line);
  }
  return { lines: all.slice(gone), dropped: dropped + gone };
}

/** An entry of a chat's imported history (chat.md, 5). */
export interface TranscriptEntry {
  readonly sender: string;
  readonly message: string;
  /** Unix seconds. */
  readonly created: number;
}

/**
 * A chat accepts this many entries, and known clients send no more. A longer conversation is
 * attached as a file.
 */
export const MAX_HISTORY = 150;

/**
 * Converts lines to the plain history of a chat: the reader's under their id in the chat, an
 * agent's under that agent's id, and all others as `assistant`. An agent sees what the reader saw;
 * if the engine said something else, that follows in brackets. When there are too many, only the
 * newest are given, after a note.
 *
 * @param user id of the reader in the chat
 * @param note tells the agent that the beginning is missing; null for no note
 */
export function toChatHistory(
  { lines, dropped }: Transcript,
  user: string,
  note: string | null,
): readonly TranscriptEntry[] {
  const entries = lines.map((line) => ({
    sender: line.who === "reader" ? user : (line.agent ?? "assistant"),
    message: wordsOf(line),
    created: line.at,
  }));
  if (entries.length <= MAX_HISTORY && dropped === 0) return entries;
  if (note === null || note === "") return entries.slice(-MAX_HISTORY);
  const newest = entries.slice(-MAX_HISTORY + 1);
  const [first] = newest;
  if (first === undefined) return [];
  return [{ sender: "assistant", message: note, created: first.created }, ...newest];
}

/** Writes the conversation so far to a file, in the reader's language. */
export function createTranscriptFile(
  scope: Pick<Scope, "say">,
  record: EscalationRecord,
): { readonly name: string; readonly text: string } {
  const nameRole = (key: "reader" | "bot" | "agent"): string =>
    scope.say(record, `escalation.who-${key}`) ?? key;
  const roles = { reader: nameRole("reader"), bot: nameRole("bot"), agent: nameRole("agent") };
  return { name: "conversation.txt", text: formatTranscript(record, roles) };
}

/** The names of the speakers in the reader's language. */
export type Roles = Readonly<Record<"reader" | "bot" | "agent", string>>;

/**
 * Formats the conversation as text: UTC time, speaker, words. The first line says how many lines
 * are missing.
 */
export function formatTranscript({ lines, dropped }: Transcript, roles: Roles): string {
  const blocks = lines.map((line) => {
    const time = `${new Date(line.at * 1000).toISOString().slice(0, 19).replace("T", " ")} UTC`;
    const name = line.name ?? (line.who === "afterword" ? roles.bot : roles[line.who]);
    return `${time}  ${name}\n${wordsOf(line).trim()}\n`;
  });
  return [...(dropped > 0 ? [`[… ${dropped}]\n`] : []), ...blocks].join("\n");
}

/**
 * Converts the lines as the reader saw them, without markup and without the engine's own words
 * where they differ.
 *
 * @param link the conversation's address in the owner's own system, or null
 */
export function toConversationParts(
  { lines, dropped }: Transcript,
  link: string | null,
): TicketTranscript {
  return {
    ...(link !== null && { link }),
    dropped,
    lines: lines.map(({ who, said, shown = said, name = "", at }) => ({
      who: who === "afterword" ? "bot" : who,
      name,
      message: toPlainWords(who, shown).trim(),
      created: at,
    })),
  };
}

/** Writes the words that the reader saw, and in brackets those of the engine where they differ. */
function wordsOf({ who, said, shown }: TranscriptLine): string {
  if (shown === undefined || shown === said) return toPlainWords(who, said);
  return `${toPlainWords(who, shown)}\n[${toPlainWords(who, said)}]`;
}

/** People's text is no markup. An answer without any text, such as a picture, stays as it was. */
function toPlainWords(who: TranscriptLine["who"], text: string): string {
  return who === "reader" || who === "agent" ? text : textOfHtml(text) || text;
}

function cut(line: TranscriptLine): TranscriptLine {
  const said = shortenText(line.said);
  return line.shown === undefined
    ? { ...line, said }
    : { ...line, said, shown: shortenText(line.shown) };
}

function shortenText(text: string): string {
  const { characters } = TRANSCRIPT_LIMITS;
  const whole = text.toWellFormed();
  if (whole.length <= characters) return whole;
  return `${cutText(whole, characters - 1)}…`;
}

/** Bytes of a line, with an allowance for its other members. */
function sizeOf({ said, shown = "" }: TranscriptLine): number {
  return ENCODER.encode(said).length + ENCODER.encode(shown).length + 64;
}

const ENCODER = new TextEncoder();
