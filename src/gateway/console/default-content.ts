import { readListMember, memberOf, readTextMember } from "../../api/call/read.ts";
import type { InstanceConfig } from "../../config/config.ts";
import { DEFAULT_CONTENT_TITLES } from "../../direct-answers/default-content.ts";
import { FLAG_FACTS, type Flag } from "../../direct-answers/flags.ts";
import { toComparable } from "../../direct-answers/recognition.ts";

/** Says whether the configuration is right about a flag's default content, and what to do. */
export interface DefaultContentVerdict {
  /** False if `created` or `defaultContent` contradicts the engine. */
  readonly ok: boolean;
  /** The step that makes the engine use the owner's words; null if it already does. */
  readonly cure: string | null;
  /** Names the step for pages in other languages. */
  readonly code: "default-content" | "created" | null;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Compares an instance's configuration of a flag's default content with the answer to a message
 * that triggers it.
 *
 * @param answer as the reader sees it
 * @param trace of its decision, in the form of `x-afterword-trace`
 */
export function judgeDefaultContent(
  { rules }: InstanceConfig,
  flag: Flag,
  answer: unknown,
  trace: unknown,
): DefaultContentVerdict {
  const steps = readListMember(trace, "steps").filter((step) =>
    readTextMember(step, "at")?.startsWith("/answers/0"),
  );
  const decided = steps.find((step) => readTextMember(step, "flag") !== null);
  const isReplaced = rules.replace[flag] !== undefined;
  const inactive = `defaultContent: { ${flag}: inactive }`;
  const title = titleOf(answer);
  const known = title ?? "TITLE";
  const recognize = `recognize: { ${flag}: [${JSON.stringify(known)}] }`;
  const replaced = `defaultContent: { ${flag}: replace }, ${recognize}`;
  const replace = `write defaultContent: { ${flag}: replace } and ${recognize}`;
  const keepsWords = { code: "default-content", params: { replace: replaced, inactive } } as const;
  const switchOff = `switch the content off at the vendor and write ${inactive}`;
  // An answer with another flag, or without a trace, says nothing about this one.
  if (decided === undefined && steps.length === 0) return fine;
  if (decided !== undefined && readTextMember(decided, "flag") !== flag) return fine;
  if (memberOf(decided, "unexpected") === true) {
    const cure = `the flag came, so this default content is inactive there: correct created, or write ${inactive}`;
    return { ok: false, cure, code: "created", params: { setting: `created, ${inactive}` } };
  }
  if (readTextMember(decided, "reason") === "default-content") {
    const cure = `this is default content, and keeps its words: to say yours, ${replace}; or ${switchOff}`;
    return { ok: true, cure, ...keepsWords };
  }
  if (decided !== undefined) return fine;
  if (isReplaced) {
    const cure = `nothing tells that this is default content: ${title === null ? switchOff : `write ${recognize}; or ${switchOff}`}`;
    return { ok: false, cure, ...keepsWords };
  }
  if (rules.activeDefaultContent.includes(flag)) {
    const cure = `default content answers without the flag, as created says, and keeps its words: to say yours, ${replace}; or ${switchOff}`;
    return { ok: true, cure, ...keepsWords };
  }
  if (isDefaultContent(flag, title, readTextMember(answer, "message"))) {
    const cure = `default content answers without the flag, and created says that it is inactive: correct created; then, to say your words, ${replace}; or ${switchOff}`;
    return { ok: false, cure, code: "created", params: { setting: `created, ${replaced}` } };
  }
  const cure = `the flag ${flag} did not come: this answer is customized at the vendor, or default content of an instance that was created on or after 2018-10-01. Then correct created, and ${replace}; or ${switchOff}`;
  return { ok: true, cure, code: "created", params: { setting: `created, ${replaced}` } };
}

const fine: DefaultContentVerdict = { ok: true, cure: null, code: null, params: {} };

function titleOf(answer: unknown): string | null {
  const attributes = memberOf(answer, "attributes");
  const contents = memberOf(memberOf(answer, "parameters"), "contents");
  return (
    readTextMember(attributes, "inbMainTitle") ??
    readTextMember(attributes, "title") ??
    readTextMember(contents, "title")
  );
}

/** True for the English title or text of the engine's default content. */
function isDefaultContent(flag: Flag, title: string | null, message: string | null): boolean {
  const text = FLAG_FACTS.find(({ name }) => name === flag)?.text;
  return [
    [title, DEFAULT_CONTENT_TITLES[flag]],
    [message, text],
  ].some(([seen, known]) => {
    return (
      typeof seen === "string" &&
      known !== undefined &&
      toComparable(seen) === toComparable(known ?? "")
    );
  });
}
