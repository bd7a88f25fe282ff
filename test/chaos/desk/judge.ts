import { createHash } from "node:crypto";
import type { Chat } from "../../../src/api/chat/answers.ts";
import type { Presence } from "./agent.ts";
import { ends, type Moment, plain, type Reader } from "./reader.ts";
import type { ChatMoment, Truth } from "./truth.ts";

/** What the service has of a chat when the day is over. */
export interface Kept {
  readonly chat: Chat;
  /** What the reader said in it, that of the imported transcript first. */
  readonly reader: readonly string[];
  /** What agents said, by its id. */
  readonly agents: readonly { readonly text: string; readonly at: number }[];
}

export interface Day {
  readonly truth: Truth;
  readonly agents: ReadonlyMap<string, readonly Presence[]>;
  readonly kept: readonly Kept[];
  readonly tickets: readonly string[];
  /** When which agents were online with a free slot, every second or so. */
  readonly free: readonly { readonly at: number; readonly agents: ReadonlySet<string> }[];
  readonly began: number;
  readonly ended: number;
}

export interface Judged {
  readonly violations: readonly string[];
  /** The longest time in which no agent of the chat was there and the reader did not know. */
  readonly longest: number;
  readonly chats: number;
}

/** Compares what this reader was told with what was so. */
export function judge(reader: Reader, day: Day): Judged {
  const key = createHash("sha256").update(`shop\n${reader.session}`).digest("hex");
  const own = day.kept
    .filter(({ chat }) => chat.externalId.startsWith(`aw-${key}-`))
    .toSorted((a, b) => startOf(day, a) - startOf(day, b));
  const waited = longestWait(reader, day, own);
  return {
    chats: own.length,
    longest: waited.longest,
    violations: [
      ...waited.violations,
      ...reader.timeline.flatMap((moment) => untrue(moment, day, own)),
      ...own.flatMap((kept) => transcript(reader, day, kept)),
      ...delivered(reader, own),
      ...twice(reader),
      ...reader.timeline
        .filter(({ kind }) => kind === "failed")
        .map(({ text }) => `failed: ${text}`),
    ],
  };
}

function startOf({ truth }: Day, { chat }: Kept): number {
  return truth.chats.get(chat.id)?.[0]?.at ?? chat.created * 1000;
}

/** The chat that was the reader's last at that time. */
function chatAt(day: Day, own: readonly Kept[], time: number): Kept | undefined {
  return own.findLast((kept) => startOf(day, kept) <= time + lag);
}

/** Milliseconds by which one may learn later than another. */
const lag = 500;
/** Milliseconds within which what is said must have been so. */
const recent = 4_000;
const patience = 60_000;

function isThere(day: Day, agent: string, time: number): boolean {
  return (day.agents.get(agent) ?? []).some(({ from, until }) => from <= time && time < until);
}

function longestWait(
  reader: Reader,
  day: Day,
  own: readonly Kept[],
): { readonly longest: number; readonly violations: readonly string[] } {
  const violations: string[] = [];
  let longest = 0;
  let since: number | null = null;
  let isSaid = false;
  const over = Math.min(reader.left ?? Infinity, day.ended);
  const first = reader.timeline[0]?.at ?? over;
  for (let time = first; reader.listens && time < over; time += 500) {
    // Who is told of another one, or that the message waits, knows.
    const isTold = reader.timeline.some(
      ({ at, key = "" }) => phases.has(key) && at > time - 500 && at <= time,
    );
    if (isTold || hasCompany(reader, day, own, time)) {
      [since, isSaid] = [null, false];
      continue;
    }
    since ??= time;
    longest = Math.max(longest, time - since);
    if (time - since <= patience + lag || isSaid) continue;
    isSaid = true;
    violations.push(`waits for an agent who is gone since ${clock(since, day.began)}`);
  }
  return { longest, violations };
}

/** False: the reader was told of a person, and there is none. */
function hasCompany(reader: Reader, day: Day, own: readonly Kept[], time: number): boolean {
  const lines = reader.timeline.filter(({ at, key }) => at <= time && key !== undefined);
  const phase = lines.findLast(({ key = "" }) => phases.has(key) || ends.has(key))?.key;
  if (phase === undefined || ends.has(phase)) return true;
  const chat = chatAt(day, own, time)?.chat.id ?? "";
  const moment = day.truth.at(chat, time);
  if (phase.includes("queued")) return [...day.agents.keys()].some((id) => isThere(day, id, time));
  const { agents = new Set<string>(), invited = null } = moment ?? {};
  const asked = phase === "escalation.joined" || invited === null ? [] : [invited];
  return [...agents, ...asked].some((id) => isThere(day, id, time));
}

/** Lines that say that somebody comes, or is there. */
const phases: ReadonlySet<string> = new Set(
  ["connecting", "joined", "queued", "queued-next"].map((name) => `escalation.${name}`),
);

/** What was said at this moment and was not so. */
function untrue(moment: Moment, day: Day, own: readonly Kept[]): readonly string[] {
  const { at, key, kind, text } = moment;
  const kept = chatAt(day, own, at);
  const id = kept?.chat.id ?? "";
  const was = (is: (one: ChatMoment) => boolean): boolean =>
    day.truth.was(id, at - recent, at + lag, is);
  const no = (why: string): readonly string[] => [
    `at ${clock(at, day.began)}: “${text}”, but ${why}`,
  ];
  if (kind === "holder") return untrueHolder(moment, day, was);
  switch (key) {
    case "escalation.connecting":
      return was(({ invited, agents }) => invited !== null || agents.size > 0)
        ? []
        : no("nobody is asked");
    case "escalation.joined":
      return was(({ agents }) => agents.size > 0) ? [] : no("no agent has joined");
    case "escalation.queued":
    case "escalation.queued-next":
      return was(({ closed, agents }) => !closed && agents.size === 0)
        ? []
        : no("the chat does not wait");
    case "escalation.passed-on":
      return was(({ agents }) => agents.size === 0) ? [] : no("an agent is there");
    case "escalation.closed":
      return was(({ closed }) => closed) ? [] : no("the chat is open");
    case "escalation.ticket":
    case "escalation.ticket-number":
      return day.tickets.some((ticket) => text.includes(ticket))
        ? []
        : no("there is no such ticket");
    case "escalation.no-agents":
    case "escalation.not-now":
      return [...day.agents.keys()].some((one) => isFree(day, id, one, at)) ? no("one is") : [];
    case "escalation.ticket-pending":
    case "escalation.unknown":
      return no("every service is there");
    default:
      return [];
  }
}

/** True: the agent was there and free all the time, and was not asked to take this chat. */
function isFree(day: Day, chat: string, agent: string, at: number): boolean {
  const looks = day.free.filter((look) => look.at > at - recent && look.at < at);
  const isAsked = (day.truth.chats.get(chat) ?? []).some(
    ({ invited, agents }) => invited === agent || agents.has(agent),
  );
  const there = isThere(day, agent, at - recent) && isThere(day, agent, at);
  return there && !isAsked && looks.length > 1 && looks.every(({ agents }) => agents.has(agent));
}

function untrueHolder(
  { at, text }: Moment,
  day: Day,
  was: (is: (one: ChatMoment) => boolean) => boolean,
): readonly string[] {
  const { name } = JSON.parse(text) as { readonly name?: string };
  if (name === undefined) return [];
  const there = was(({ agents }) => agents.size > 0);
  return there
    ? []
    : [`at ${clock(at, day.began)}: ${name} holds the conversation, but no agent is in the chat`];
}

/** Every question is in the transcript, once and in order. */
function transcript(reader: Reader, day: Day, { chat, reader: words }: Kept): readonly string[] {
  const moments = day.truth.chats.get(chat.id) ?? [];
  const closed = moments.find((moment) => moment.closed)?.at ?? day.ended;
  const asked = reader.asked.filter(({ lost }) => !lost);
  const due = asked.filter(({ answered }) => answered !== null && answered < closed - lag).length;
  const all = asked.map((one) => one.words);
  const wrong = words.findIndex((one, index) => one !== all[index]);
  if (wrong !== -1) {
    return [`chat ${chat.id}: line ${wrong + 1} is “${words[wrong]}” instead of “${all[wrong]}”`];
  }
  if (words.length >= due) return [];
  return [
    `chat ${chat.id}: the transcript lacks “${all[words.length]}” (${words.length} of ${due})`,
  ];
}

/** What agents said came once and in order; all of it, where the reader stayed to the end. */
function delivered(reader: Reader, own: readonly Kept[]): readonly string[] {
  const heard = reader.timeline.filter(({ kind }) => kind === "agent").map(({ text }) => text);
  const said = own.flatMap(({ agents }) => agents.map(({ text }) => plain(text)));
  const wrong = heard.findIndex((text, index) => text !== said[index]);
  if (wrong !== -1) return [`hears “${heard[wrong]}” instead of “${said[wrong]}”`];
  const stayed = reader.left === null && (reader.listens || ends.has(reader.phase()));
  return stayed && heard.length < said.length ? [`never hears “${said[heard.length]}”`] : [];
}

/** Lines that came once more with nothing asked in between. */
function twice({ timeline }: Reader): readonly string[] {
  const said = timeline.filter(({ kind }) => kind === "line" || kind === "asked");
  return said.flatMap(({ kind, text }, index) => {
    const asked = said.slice(0, index).findLastIndex((one) => one.kind === "asked");
    const again = said.slice(asked + 1, index).some((one) => one.text === text);
    return kind === "line" && again ? [`is told twice “${text}”`] : [];
  });
}

/** Seconds since the beginning. */
export function clock(at: number, first: number): string {
  return `${((at - first) / 1000).toFixed(1)} s`;
}
