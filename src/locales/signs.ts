const meanings: ReadonlyMap<string, "yes" | "no"> = new Map([
  ["👍", "yes"],
  ["👌", "yes"],
  ["✅", "yes"],
  ["✔", "yes"],
  ["🆗", "yes"],
  ["💯", "yes"],
  ["👎", "no"],
  ["❌", "no"],
  ["✖", "no"],
  ["🚫", "no"],
  ["🙅", "no"],
]);

/** Emoji with their colours and people: what is left are words. */
export const anySign = /\p{Extended_Pictographic}(?:\p{M}|\p{Emoji_Modifier}|\u200d|♀|♂)*/gu;

/** What the emoji of a text mean; empty without any that means yes or no. */
export function signsIn(text: string): ReadonlySet<"yes" | "no"> {
  const found = Array.from(text).map((sign) => meanings.get(sign));
  return new Set(found.filter((meaning) => meaning !== undefined));
}
