import type { OpenLine } from "./batch.ts";
import type { Speaker } from "./facts.ts";

/** The open lines of a conversation, as the stores of Node and Workers keep them in JSON. */
export type StoredConversation = readonly [
  at: number,
  instance: string,
  lines: readonly (readonly [language: string, channel: string, line: string, speaker: Speaker])[],
];

export function toStored(lines: readonly OpenLine[]): StoredConversation {
  const rows = lines.map(({ language, channel, line, speaker }) => {
    return [language, channel, line, speaker] as const;
  });
  return [lines[0]?.at ?? 0, lines[0]?.instance ?? "", rows];
}

export function toLines([at, instance, lines]: StoredConversation): readonly OpenLine[] {
  return lines.map(([language, channel, line, speaker]) => {
    return { at, instance, language, channel, line, speaker };
  });
}
