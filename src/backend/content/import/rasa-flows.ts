import { readListMember, memberOf, readTextMember } from "../../../api/call/read.ts";
import type { Doubt } from "./imported/answer.ts";

/** The bot's reaction to one message of a reader, in a rule or story. */
export interface Flow {
  readonly kind: "rule" | "story";
  readonly name: string;
  readonly file: string;
  readonly line: number;
  /** The reader's message may have any of these intents. */
  readonly intents: readonly string[];
  readonly actions: readonly string[];
  /** True if the message may begin a conversation. */
  readonly isFree: boolean;
  /** True if it answers only messages in which certain values were found. */
  readonly isConditional: boolean;
}

/** Splits a rule or story into one flow for each message of the reader. */
export function flowsOf(
  value: unknown,
  key: "rules" | "stories",
  file: string,
  line: number,
): readonly Flow[] {
  const kind = key === "rules" ? "rule" : "story";
  const name = readTextMember(value, kind) ?? "";
  let isFree = readListMember(value, "condition").length === 0;
  const flows: (Flow & { readonly actions: string[] })[] = [];
  for (const step of readListMember(value, "steps")) {
    const intents = intentsOf(step);
    const action = readTextMember(step, "action") ?? readTextMember(step, "bot")?.trim() ?? null;
    const current = flows.at(-1);
    if (action !== null && NO_ANSWERS.has(action)) continue;
    if (intents.length > 0) {
      const isConditional = readListMember(step, "entities").length > 0;
      flows.push({ kind, name, file, line, intents, actions: [], isFree, isConditional });
      isFree = false;
    } else if (current !== undefined && action !== null) {
      current.actions.push(action);
    } else if (current !== undefined && memberOf(step, "active_loop") !== null) {
      current.actions.push("active_loop");
    } else if (current === undefined) {
      // The bot has spoken before, or a slot, a checkpoint or a form comes before the message.
      isFree = false;
    }
  }
  return flows;
}

/** Steps at which the bot says nothing. */
const NO_ANSWERS: ReadonlySet<string> = new Set(["action_listen", "action_session_start"]);

/** A message without an intent stands in the reader's own words, which {@link addWords} names it by. */
function intentsOf(step: unknown): readonly string[] {
  const alternatives = [step, ...readListMember(step, "or")];
  return alternatives.flatMap(
    (one) => readTextMember(one, "intent") ?? readTextMember(one, "user")?.trim() ?? [],
  );
}

/** The responses that answer an intent. */
export interface Way {
  readonly actions: readonly string[];
  /** Why they need a review before readers see them, or null. */
  readonly doubt: Doubt | null;
  /** The rule or story in which something comes before it; null if nothing has to. */
  readonly after: string | null;
  /** Rules and stories that go another way. */
  readonly others: readonly {
    readonly flow: Flow;
    readonly code: "answered-by-program" | "other-way";
  }[];
}

const UNBOUND = { after: null, doubt: null, others: [] } as const;

/**
 * Finds the answer to an intent in a rule, or else at the beginning of a story, in `utter_NAME`, or
 * later in a story.
 */
export function readWay(
  intent: string,
  flows: readonly Flow[],
  isResponse: (name: string) => boolean,
): Way {
  const byName = `utter_${intent}`;
  // A retrieval intent is answered by the response of its name, whatever the rule says.
  if (/^[^\s/]+\/\S+$/u.test(intent)) return { actions: [byName], ...UNBOUND };
  const mine = flows.filter(
    ({ intents, actions }) => intents.includes(intent) && actions.length > 0,
  );
  const free = mine.filter(({ isFree }) => isFree);
  const rules = free.filter(({ kind }) => kind === "rule");
  const speaks = (flow: Flow): boolean => flow.actions.some(isResponse);
  const [chosen] = [...rules.filter(speaks), ...free.filter(speaks)].toSorted(
    (one, other) => Number(one.isConditional) - Number(other.isConditional),
  );
  if (chosen === undefined && isResponse(byName)) {
    return { actions: [byName], ...UNBOUND };
  }
  const flow = chosen ?? mine.find(speaks);
  if (flow === undefined) {
    return {
      actions: [],
      after: null,
      doubt: null,
      others: mine.slice(0, 1).map((one) => ({ flow: one, code: "answered-by-program" })),
    };
  }
  const actions = flow.actions.filter(isResponse);
  const code = flow.actions.find((action) => !isResponse(action));
  const after = flow.isFree ? null : `${flow.kind} "${flow.name}"`;
  const differs = free.filter((one) => one.actions.join() !== flow.actions.join());
  const isOneOfSeveral = flow.isConditional && differs.length > 0;
  const doubt: Doubt | null =
    code !== undefined
      ? { code: "unpublished-program", text: code }
      : isOneOfSeveral
        ? { code: "unpublished-condition" }
        : null;
  return {
    actions,
    after,
    doubt,
    others: differs.map((one) => ({ flow: one, code: "other-way" })),
  };
}
