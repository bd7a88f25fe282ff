import type { TextAddress } from "../load/message-texts.ts";
import { FLAG_FACTS } from "../../direct-answers/flags.ts";
import { findOwnLineUse } from "../../locales/own-lines.ts";

/** Describes to translators when a text is used. */
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

/** Describes in a sentence when a key's line is used. */
export function describeUse(key: string): string {
  const facts = FLAG_FACTS.find(({ name }) => name === key);
  if (facts !== undefined) return facts.returnedWhen;
  if (key === "related-title") return "The title above related contents.";
  return findOwnLineUse(key) ?? "A line that Afterword itself says.";
}
