import type { Situation } from "../../api/console.ts";
import { FLAG_FACTS, toFlag } from "../../direct-answers/flags.ts";

/** The 16 of the specification. */
export function listSituations(): readonly Situation[] {
  return FLAG_FACTS.map(({ name, returnedWhen }) => ({
    key: name,
    use: returnedWhen,
    body: bodyOf(name) ?? "",
  }));
}

/** Writes the engine's answer with this key's preset; null for Afterword's own lines. */
export function bodyOf(key: string): string | null {
  const flag = toFlag(key);
  const text = FLAG_FACTS.find(({ name }) => name === flag)?.text;
  if (text !== undefined) return answer({ message: text, messageList: [text], flags: [key] });
  if (key !== "related-title") return null;
  return answer({
    message: "We deliver within three days.",
    messageList: ["We deliver within three days."],
    flags: [],
    parameters: {
      contents: {
        related: {
          relatedContents: [{ id: 1, title: "What does delivery cost?" }],
          relatedTitle: "Related contents",
        },
      },
    },
  });
}

function answer(fields: Readonly<Record<string, unknown>>): string {
  const answers = [{ type: "answer", ...fields, options: [], attributes: {}, actions: [] }];
  return JSON.stringify({ answers }, null, 2);
}
