import { textOfHtml } from "./html-text.ts";
import type { TranscriptLine } from "./record.ts";

/** What is kept of a conversation's lines. */
export interface Transcript {
  readonly lines: readonly TranscriptLine[];
  /** How many were dropped. */
  readonly dropped: number;
}

/** Lines, characters of one line, and bytes of all: what is kept of a conversation is bounded. */
export const TRANSCRIPT_LIMITS: {
  readonly lines: number;
  readonly characters: number;
  readonly bytes: number;
} = Object.freeze({ lines: 400, characters: 4000, bytes: 262_144 });

/**
 * The lines with some more behind them. Too long ones are cut, and of too many the oldest go. Empty
 * ones are none.
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
export interface HistoryEntry {
  readonly sender: string;
  readonly message: string;
  /** Unix seconds. */
  readonly created: number;
}

/** A chat takes so many entries, and known clients send no more. */
export const MOST_HISTORY = 150;

/**
 * Lines as the history of a chat, plain: the reader's under their id in the chat, an agent's under
 * that agent's, all others as `assistant`. An agent sees what the reader saw; where the engine had
 * said something else, that follows in brackets. Of too many the newest are given, behind a note.
 *
 * @param user id of the reader in the chat
 * @param note what the agent is told when the beginning is missing; null: nothing
 */
export function chatHistory(
  { lines, dropped }: Transcript,
  user: string,
  note: string | null,
): readonly HistoryEntry[] {
  const entries = lines.map((line) => ({
    sender: line.who === "reader" ? user : (line.agent ?? "assistant"),
    message: bothSaid(line),
    created: line.at,
  }));
  if (entries.length <= MOST_HISTORY && dropped === 0) return entries;
  const room = note === null || note === "" ? MOST_HISTORY : MOST_HISTORY - 1;
  const newest = entries.slice(-room);
  const [first] = newest;
  if (room === MOST_HISTORY || note === null || first === undefined) return newest;
  return [{ sender: "assistant", message: note, created: first.created }, ...newest];
}

/** How the speakers are called in the reader's language. */
export interface Roles {
  readonly reader: string;
  readonly bot: string;
  readonly agent: string;
}

/**
 * The whole conversation as a text file: a line with time (UTC) and speaker, what was said below,
 * plain. The first line tells how many lines are missing.
 */
export function transcriptText({ lines, dropped }: Transcript, roles: Roles): string {
  const blocks = lines.map((line) => {
    const time = `${new Date(line.at * 1000).toISOString().slice(0, 19).replace("T", " ")} UTC`;
    return `${time}  ${nameOf(line, roles)}\n${bothSaid(line).trim()}\n`;
  });
  return [...(dropped > 0 ? [`[… ${dropped}]\n`] : []), ...blocks].join("\n");
}

function nameOf({ who }: TranscriptLine, roles: Roles): string {
  return who === "afterword" ? roles.bot : roles[who];
}

function bothSaid({ who, said, shown }: TranscriptLine): string {
  // What people type is theirs, markup and all. An answer of which nothing is left, such as a
  // picture, stays as it was.
  const plain = (text: string): string =>
    who === "reader" || who === "agent" ? text : textOfHtml(text) || text;
  if (shown === undefined || shown === said) return plain(said);
  return `${plain(shown)}\n[${plain(said)}]`;
}

function cut(line: TranscriptLine): TranscriptLine {
  const said = shortened(line.said);
  return line.shown === undefined
    ? { ...line, said }
    : { ...line, said, shown: shortened(line.shown) };
}

function shortened(text: string): string {
  const { characters } = TRANSCRIPT_LIMITS;
  const whole = text.toWellFormed();
  if (whole.length <= characters) return whole;
  return `${whole.slice(0, characters - 1).replace(/[\uD800-\uDBFF]$/u, "")}…`;
}

/** Bytes of a line, with some for what is around it. */
function sizeOf({ said, shown = "" }: TranscriptLine): number {
  return ENCODER.encode(said).length + ENCODER.encode(shown).length + 64;
}

const ENCODER = new TextEncoder();
