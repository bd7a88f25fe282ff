import { isRecord, parseJson } from "../../json/values.ts";
import type {
  ChatRef,
  EscalationRecord,
  Intent,
  TranscriptLine,
  HandoffPhase,
  ReaderMessage,
  ToldPosition,
} from "./record.ts";

/**
 * The version of the stored format. Texts of other versions are not read.
 */
const version = 1;

/** The most characters of one stored record. The oldest lines of a longer one are dropped. */
const maxRecordBytes: number = 512 * 1024;

/**
 * Encodes a record as text, and returns the encoded record. If it was too large, its oldest lines
 * were dropped and counted.
 *
 * @throws RangeError when it is larger than {@link maxRecordBytes} even without lines
 */
export function encodeRecord(record: EscalationRecord): {
  readonly record: EscalationRecord;
  readonly text: string;
} {
  let fitted = record;
  for (;;) {
    const text = JSON.stringify({ v: version, record: fitted });
    if (text.length <= maxRecordBytes) return { record: fitted, text };
    const { lines, dropped } = fitted;
    if (lines.length === 0) throw new RangeError("this escalation is too large to be stored");
    const gone = Math.ceil(lines.length / 2);
    fitted = { ...fitted, lines: lines.slice(gone), dropped: dropped + gone };
  }
}

/** Reads {@link encodeRecord}'s text; null if damaged or of another version. Never throws. */
export function decodeRecord(text: string): EscalationRecord | null {
  const value = parseJson(text);
  const record = isRecord(value) && value["v"] === version ? value["record"] : null;
  return isEscalationRecord(record) ? record : null;
}

type Check = (value: unknown) => boolean;
/** One check for each member. A member without a check is a compile error. */
type Checks<Shape> = { readonly [Name in keyof Required<Shape>]: Check };

const text: Check = (value) => typeof value === "string";
const flag: Check = (value) => typeof value === "boolean";
const isNumber: Check = (value) => typeof value === "number";
const count: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;

function isEscalationRecord(value: unknown): value is EscalationRecord {
  return hasShape(value);
}

const isLine = shape<TranscriptLine>({
  who: oneOf("reader", "bot", "agent", "afterword"),
  said: text,
  shown: allowAbsent(text),
  agent: allowAbsent(text),
  name: allowAbsent(text),
  at: isNumber,
});
const isPerson = shape<EscalationRecord["person"]>({
  name: text,
  email: text,
  id: text,
  consent: flag,
});
const isCounts = shape<EscalationRecord["counts"]>({
  noResults: count,
  errors: count,
  negativeRatings: count,
  turns: count,
  escalations: count,
  last: allowNull(
    shape<NonNullable<EscalationRecord["counts"]["last"]>>({
      digest: text,
      at: isNumber,
      reason: allowAbsent(text),
      answer: allowAbsent(isNumber),
      ours: allowAbsent(flag),
    }),
  ),
});
const isIntent = shape<Intent>({
  kind: oneOf("chat", "ticket"),
  epoch: count,
  state: oneOf("planned", "sent", "done", "refused", "unknown"),
  result: text,
  attempts: count,
  first: isNumber,
  next: allowNull(isNumber),
  problem: text,
});
const areOptions = listOf(shape<EscalationRecord["options"][number]>({ value: text, label: text }));
const isMessage = shape<ReaderMessage>({
  id: count,
  text,
  kind: oneOf("agent", "line", "media"),
  options: allowAbsent(areOptions),
  media: allowAbsent(
    shape<NonNullable<ReaderMessage["media"]>>({ name: text, url: text, type: text }),
  ),
  source: allowAbsent(text),
  name: allowAbsent(text),
});
const isChat = shape<ChatRef>({
  id: text,
  user: text,
  seen: text,
  said: allowAbsent(text),
  read: allowAbsent(text),
  typing: allowAbsent(isNumber),
  readTo: allowAbsent(count),
  markedTo: allowAbsent(count),
  away: allowAbsent(flag),
  names: allowAbsent((value) => isRecord(value) && Object.values(value).every(text)),
});

const isTold = shape<ToldPosition>({
  position: count,
  overtaken: count,
  until: allowNull(isNumber),
  at: isNumber,
});

type PhaseNamed<Name extends HandoffPhase["name"]> = Omit<
  Extract<HandoffPhase, { name: Name }>,
  "name"
>;
const phases: { readonly [Name in HandoffPhase["name"]]: Checks<PhaseNamed<Name>> } = {
  bot: { quietUntil: isNumber },
  offered: { reason: text, at: isNumber, step: allowAbsent(count) },
  identity: { field: oneOf("name", "email", "consent"), tries: count, step: allowAbsent(count) },
  reaching: { step: count, since: isNumber, why: oneOf("", "hours", "agents", "unanswered") },
  waiting: { chat: isChat, step: count, since: isNumber, queued: flag, told: allowAbsent(isTold) },
  talking: {
    chat: isChat,
    agent: text,
    since: isNumber,
    alone: allowAbsent(isNumber),
    closed: allowAbsent(isNumber),
  },
};
const phaseChecks: ReadonlyMap<unknown, Check> = new Map(
  Object.entries<Readonly<Record<string, Check>>>(phases).map(([name, checks]) => [
    name,
    shapeOf(checks),
  ]),
);
const isPhase: Check = (value) =>
  isRecord(value) && phaseChecks.get(value["name"])?.(value) === true;

const hasShape = shape<EscalationRecord>({
  key: text,
  instance: text,
  revision: count,
  epoch: count,
  phase: isPhase,
  reason: allowAbsent(text),
  question: allowAbsent(text),
  counts: isCounts,
  eventId: text,
  listener: allowAbsent(text),
  locale: text,
  channel: text,
  lines: listOf(isLine),
  dropped: count,
  person: isPerson,
  intents: listOf(isIntent),
  messages: listOf(isMessage),
  lastMessage: count,
  delivered: count,
  deliveredBefore: count,
  deliveredByTurn: allowAbsent(count),
  options: areOptions,
  wake: allowNull(isNumber),
  created: isNumber,
  updated: isNumber,
});

/** Checks the members of an object. Unknown members are allowed. */
function shape<Shape>(checks: Checks<Shape>): Check {
  return shapeOf(checks);
}

function shapeOf(checks: Readonly<Record<string, Check>>): Check {
  const members = Object.entries(checks);
  return (value) => isRecord(value) && members.every(([name, check]) => check(value[name]));
}

function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

function allowNull(check: Check): Check {
  return (value) => value === null || check(value);
}

function allowAbsent(check: Check): Check {
  return (value) => value === undefined || check(value);
}

function oneOf(...words: readonly string[]): Check {
  return (value) => words.some((word) => word === value);
}
