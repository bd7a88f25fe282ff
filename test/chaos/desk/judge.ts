import { createHash } from "node:crypto";
import type { Presence } from "./agent.ts";
import { ends, type Moment, plain, type Reader } from "./reader.ts";
import type { ChatMoment, Sql, Truth } from "./truth.ts";

/** A chat in the database at the end of the day. */
export interface Kept {
  readonly chat: { readonly id: string; readonly externalId: string; readonly created: number };
  /** The reader's words, those of the imported transcript first. */
  readonly reader: readonly string[];
  /** The agents' words, by their id. */
  readonly agents: readonly { readonly text: string; readonly at: number }[];
}

export interface Day {
  readonly truth: Truth;
  readonly agents: ReadonlyMap<string, readonly Presence[]>;
  readonly kept: readonly Kept[];
  readonly tickets: readonly KeptTicket[];
  /** Which agents were online, about every second. */
  readonly online: readonly { readonly at: number; readonly agents: ReadonlySet<string> }[];
  /** The most chats of an agent at once. */
  readonly slots: number;
  /** The times when the machine was down. */
  readonly downs: readonly { readonly from: number; readonly until: number }[];
  readonly began: number;
  readonly ended: number;
}

export interface KeptTicket {
  readonly id: string;
  readonly name: string;
  readonly at: number;
  /** The whole transcript. */
  readonly words: string;
}

/** Reads all chats with what was said in them. @param agents ids of all agents */
export function readKept(sql: Sql, agents: ReadonlySet<string>): readonly Kept[] {
  const rows = sql.rows(
    "SELECT chat, sender, json_extract(message, '$') AS text, imported, created FROM chat_messages WHERE type = 'text' ORDER BY number",
  );
  const messages = Map.groupBy(rows, ({ chat }) => Number(chat));
  const chats = sql.rows("SELECT number, id, external_id, creator, created FROM chat_chats");
  return chats.map(({ number, id, external_id: externalId, creator, created }) => {
    const own = messages.get(Number(number)) ?? [];
    return {
      chat: { id: String(id), externalId: String(externalId), created: Number(created) },
      reader: own.filter(({ sender }) => sender === creator).map(({ text }) => String(text)),
      agents: own
        .filter(({ sender, imported }) => agents.has(String(sender)) && imported === 0)
        .map(({ text, created: at }) => ({ text: String(text), at: Number(at) })),
    };
  });
}

export function readTickets(sql: Sql): readonly KeptTicket[] {
  return sql
    .rows("SELECT id, external_id, created, message, transcript FROM tickets")
    .map(({ id, external_id: name, created, message, transcript }) => ({
      id: String(id),
      name: String(name),
      at: Number(created),
      words: `${String(message)}\n${String(transcript)}`,
    }));
}

export interface Judged {
  /** The events of the reader's chats, to investigate a violation. */
  readonly story: readonly string[];
  readonly violations: readonly string[];
  /** The longest time without an agent in the chat of which the reader did not know. */
  readonly longest: number;
}

/** Compares what this reader was told with the truth. */
export function judge(reader: Reader, day: Day): Judged {
  const key = createHash("sha256").update(`shop\n${reader.session}`).digest("hex");
  const own = day.kept
    .filter(({ chat }) => chat.externalId.startsWith(`aw-${key}-`))
    .toSorted((a, b) => startOf(day, a) - startOf(day, b));
  const waited = longestWait(reader, day, own);
  const tickets = day.tickets.filter(({ name }) => name.startsWith(`aw-${key}-`));
  return {
    story: own.flatMap(({ chat: { id } }) =>
      (day.truth.chats.get(id) ?? []).map(
        ({ at, agents, invited, closed }) =>
          `${clock(at, day.began)} chat ${id} agents: ${[...agents].join()} asked: ${invited} closed: ${closed}`,
      ),
    ),
    longest: waited.longest,
    violations: [
      ...waited.violations,
      ...reader.timeline.flatMap((moment) => untrue(moment, reader, { ...day, tickets }, own)),
      ...tickets.flatMap((ticket) => lacking(reader, ticket)),
      ...own.flatMap((kept) => transcript(reader, day, kept)),
      ...delivered(reader, own),
      ...twice(reader, day),
      ...reader.timeline
        .filter(({ kind }) => kind === "failed")
        .map(({ text }) => `failed: ${text}`),
    ],
  };
}

function startOf({ truth }: Day, { chat }: Kept): number {
  return truth.chats.get(chat.id)?.[0]?.at ?? chat.created;
}

/** The reader's latest chat at that time. */
function chatAt(day: Day, own: readonly Kept[], time: number): Kept | undefined {
  return own.findLast((kept) => startOf(day, kept) <= time + lag);
}

/** Milliseconds by which one process may learn something later than another. */
const lag = 500;
/** Milliseconds within which a statement must have been true. */
const recent = 6_000;
const patience = 60_000;

/** Milliseconds of these during which the machine was down. */
function downIn({ downs }: Day, from: number, to: number): number {
  return downs.reduce(
    (sum, down) => sum + Math.max(0, Math.min(to, down.until) - Math.max(from, down.from)),
    0,
  );
}

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
    // True if the reader was told of another agent, or that the message waits.
    const isTold = reader.timeline.some(
      ({ at, key = "" }) => phases.has(key) && at > time - 500 && at <= time,
    );
    if (isTold || hasCompany(reader, day, own, time)) {
      [since, isSaid] = [null, false];
      continue;
    }
    since ??= time;
    const waited = time - since - downIn(day, since, time);
    longest = Math.max(longest, waited);
    if (waited <= patience + recent || isSaid) continue;
    isSaid = true;
    violations.push(`waits for an agent who is gone since ${clock(since, day.began)}`);
  }
  return { longest, violations };
}

/** False if the reader was told of a person although there is none. */
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

/** Lines about a person who comes, or is there. */
const phases: ReadonlySet<string> = new Set(
  ["connecting", "joined", "queued", "queued-next"].map((name) => `escalation.${name}`),
);

/** Finds what was said at this moment and was not true. */
function untrue(moment: Moment, reader: Reader, day: Day, own: readonly Kept[]): readonly string[] {
  const { at, key, kind, text } = moment;
  const kept = chatAt(day, own, at);
  const id = kept?.chat.id ?? "";
  const since = knownSince(moment, reader, day);
  const was = (is: (one: ChatMoment) => boolean): boolean => day.truth.was(id, since, at + lag, is);
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
    case "escalation.not-now":
      return kept === undefined || was(({ agents, closed }) => closed || agents.size === 0)
        ? []
        : no("an agent is there");
    case "escalation.closed":
      return was(({ closed }) => closed) ? [] : no("the chat is open");
    case "escalation.ticket":
    case "escalation.ticket-number":
      return day.tickets.some((one) => text.includes(`-${one.id}`) && one.at <= at + lag)
        ? []
        : no("there is no such ticket");
    case "escalation.no-agents":
      return [...day.agents.keys()]
        .filter((one) => isFree(day, id, one, at))
        .flatMap((one) => no(`${one} is`));
    case "escalation.ticket-pending":
      return day.tickets.some((one) => one.at > at - lag && one.at < at + patience)
        ? []
        : no("no ticket comes within a minute");
    case "escalation.unknown":
      return downIn(day, since - 15_000, at) > 0 ? [] : no("every service is there");
    default:
      return [];
  }
}

/**
 * The earliest time at which a statement of now may have been true. Readers who do not listen, or
 * were away, or whose machine was down, learn it later.
 */
function knownSince({ at }: Moment, { timeline, listens }: Reader, day: Day): number {
  const before = timeline.filter((one) => one.at < at - lag);
  const asked = before.filter(({ kind }) => kind === "asked");
  const isAway = before.findLast(({ kind, text }) => kind === "did" && text.startsWith("reloads"));
  const wasAway = isAway !== undefined && isAway.at > at - 2 * recent;
  const since = listens ? at - recent : Math.min(at - recent, (asked.at(-2)?.at ?? at) - recent);
  // Words that were stored before the machine died are delivered before the first poll after that.
  const died = day.downs.filter(({ from, until }) => until > at - 30_000 && from < at);
  return Math.min(wasAway ? since - recent : since, ...died.map(({ from }) => from - 2 * recent));
}

/** The words before a ticket are in its text. */
function lacking(reader: Reader, { at, id, words }: KeptTicket): readonly string[] {
  return reader.asked
    .filter(({ answered, lost }) => !lost && answered !== null && answered < at - lag)
    .filter((asked) => !words.includes(asked.words))
    .map((asked) => `ticket ${id} lacks “${asked.words}”`);
}

/** True if the agent was present and free all the time, and was not invited to this chat. */
function isFree(day: Day, chat: string, agent: string, at: number): boolean {
  const looks = day.online.filter((look) => look.at > at - recent && look.at < at);
  const moments = [...day.truth.chats.values()].flat().map((moment) => moment.at);
  const changes = moments.filter((time) => time > at - recent && time < at);
  const isAsked = (day.truth.chats.get(chat) ?? []).some((moment) => has(moment, agent));
  const there = isThere(day, agent, at - recent) && isThere(day, agent, at);
  return (
    there &&
    !isAsked &&
    looks.length > 1 &&
    looks.every(({ agents }) => agents.has(agent)) &&
    // All slots may have been taken between two polls.
    [at - recent, ...changes, at].every((time) => loadOf(day, agent, time) < day.slots)
  );
}

/** Chats that used a slot of this agent. */
function loadOf({ truth }: Day, agent: string, time: number): number {
  return [...truth.chats.keys()].filter((chat) => {
    const moment = truth.at(chat, time);
    return moment !== null && has(moment, agent);
  }).length;
}

function has({ invited, agents }: ChatMoment, agent: string): boolean {
  return invited === agent || agents.has(agent);
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
  let next = 0;
  for (const { words: asked, answered, lost, late } of reader.asked) {
    if (words[next] === asked) {
      next += 1;
      // A repetition after the machine was down for long counts as a second message.
      if (late && words[next] === asked) next += 1;
    } else if (!lost && answered !== null && answered < closed - lag && next < words.length) {
      return [`chat ${chat.id}: line ${next + 1} is “${words[next]}” instead of “${asked}”`];
    } else if (!lost && answered !== null && answered < closed - lag) {
      return [`chat ${chat.id}: the transcript lacks “${asked}” (${words.length} lines)`];
    }
  }
  const more = words.slice(next);
  return more.length === 0 ? [] : [`chat ${chat.id}: nobody asked “${more.join("”, “")}”`];
}

/** The agents' words arrived once and in order, and all of them if the reader stayed to the end. */
function delivered(reader: Reader, own: readonly Kept[]): readonly string[] {
  const texts = reader.timeline.filter(({ kind }) => kind === "agent").map(({ text }) => text);
  const messages = own.flatMap(({ agents }) => agents.map(({ text }) => plain(text)));
  const wrong = texts.findIndex((text, index) => text !== messages[index]);
  if (wrong !== -1) return [`hears “${texts[wrong]}” instead of “${messages[wrong]}”`];
  const stayed = reader.left === null && (reader.listens || ends.has(reader.phase()));
  return stayed && texts.length < messages.length
    ? [`never hears “${messages[texts.length]}”`]
    : [];
}

/** Lines that were repeated without a question or another line in between. */
function twice({ timeline }: Reader, day: Day): readonly string[] {
  const lines = timeline.filter(({ kind }) => kind === "line" || kind === "asked");
  return lines.flatMap(({ kind, text, key, at }, index) => {
    const from = lines.slice(0, index).findLastIndex((one) => one.kind === "asked");
    const before = lines.slice(from + 1, index);
    const last = before.findLastIndex((one) => one.text === text);
    // An answer that a dead machine could not send arrives with the next one.
    if (kind !== "line" || last === -1 || downIn(day, at - 15_000, at) > 0) return [];
    const hasMoved = before.slice(last).some((one) => one.key !== key);
    return hasMoved ? [] : [`is told twice “${text}”`];
  });
}

/** Seconds since the beginning. */
export function clock(at: number, first: number): string {
  return `${((at - first) / 1000).toFixed(1)} s`;
}
