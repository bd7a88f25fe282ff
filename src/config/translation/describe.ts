import type { TextAddress } from "../load/message-texts.ts";
import { FLAG_FACTS } from "../../direct-answers/flags.ts";
import { findOwnLineUse } from "../../locales/own-lines.ts";

/** For translators: when a text is said. */
export function describeAddress({ key, branch, part }: TextAddress): string {
  const sentences = [describeUse(key)];
  if (branch.kind === "channel") sentences.push(`Only through the channel ${branch.name}.`);
  if (branch.kind === "when") {
    const fields = branch.fields.map(([field, value]) => `${field} is ${value}`);
    sentences.push(`Only when ${fields.join(" and ")}.`);
  }
  if (part.kind === "variant") sentences.push("One of several ways to say it.");
  if (part.kind === "plural") sentences.push(`The plural form "${part.category}" of {{count}}.`);
  return sentences.join(" ");
}

/** When a key's line is said, in a sentence. */
export function describeUse(key: string): string {
  const facts = FLAG_FACTS.find(({ name }) => name === key);
  if (facts !== undefined) return facts.returnedWhen;
  if (key === "related-title") return "The title above related contents.";
  return findOwnLineUse(key) ?? "A line that Afterword itself says.";
}
