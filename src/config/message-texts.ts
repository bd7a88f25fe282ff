import type { TextFormat } from "../locales/types.ts";
import type { MessageLine, MessagesFile } from "./read-messages.ts";
import type { WrittenPhrase } from "./schema-messages.ts";
import type { Path } from "./yaml.ts";

/** One single text of a messages file, with its place. */
export interface MessageText {
  readonly key: string;
  readonly text: string;
  readonly path: Path;
  /** The channel it is meant for; null: any. */
  readonly channel: string | null;
  /** The format its line asks for; null: whatever the instance says. */
  readonly format: TextFormat | null;
}

/** Every text of a file: defaults, variants, plural forms, of channels and conditions too. */
export function* messageTexts(file: MessagesFile): Generator<MessageText> {
  for (const [key, line] of file.lines) yield* lineTexts(key, line);
}

function* lineTexts(key: string, line: MessageLine): Generator<MessageText> {
  const at = [line.writtenKey];
  const format = line.format ?? null;
  for (const found of phraseTexts(line, at)) yield { key, channel: null, format, ...found };
  for (const [index, condition] of line.when.entries()) {
    const channel = typeof condition["channel"] === "string" ? condition["channel"] : null;
    for (const found of phraseTexts(condition, [...at, "when", index])) {
      yield { key, channel, format, ...found };
    }
  }
  for (const [channel, written] of Object.entries(line.channels)) {
    for (const found of phraseTexts(written, [...at, "channels", channel])) {
      yield { key, channel, format: written.format ?? format, ...found };
    }
  }
}

function* phraseTexts(
  phrase: WrittenPhrase,
  at: Path,
): Generator<{ readonly text: string; readonly path: Path }> {
  // A line written as one string stands at the key itself; `locate` ends there.
  if (phrase.text !== undefined) yield { text: phrase.text, path: [...at, "text"] };
  for (const [index, text] of (phrase.variants ?? []).entries()) {
    yield { text, path: [...at, "variants", index] };
  }
  for (const [category, text] of Object.entries(phrase.plural ?? {})) {
    if (text !== undefined) yield { text, path: [...at, "plural", category] };
  }
}
