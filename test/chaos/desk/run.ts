/** A day at the desk on which machines and tabs do not live long: `npm run chaos -- desk --help`. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ChatClient } from "../../../src/api/chat/client-types.ts";
import { isCallError } from "../../../src/api/call/call-error.ts";
import { createClients, type Clients } from "../../../src/api/clients.ts";
import { seeded } from "../../../bench/backend/random.ts";
import { flag, readOptions, whole } from "../../../bench/options.ts";
import { type MailServers, startMailServers } from "../../fixtures/mail-servers.ts";
import { Agent } from "./agent.ts";
import { Clerk, type Written } from "./clerk.ts";
import { openLine } from "./line.ts";
import { clock, type Day, judge, readKept, readTickets } from "./judge.ts";
import { readLines } from "./lines.ts";
import { type Machine, startMachine } from "./machine.ts";
import { answerMails, type Posted } from "./post.ts";
import { Reader } from "./reader.ts";
import { type Count, recount, underWay } from "./recount.ts";
import { openSql, readTruth } from "./truth.ts";

const options = readOptions({
  name: "npm run chaos -- desk",
  about:
    "Whether nobody who wrote is forgotten while agents log out, accept and never answer, hand over, lose their rights and answer one ticket at once, while tabs, mail servers and the machine are killed. A gateway with its own backend, readers who ask through the gateway, and real mail servers. Afterwards the database and what readers received are counted once more.",
  options: {
    agents: whole("agents", 5),
    browsers: whole("of these agents, how many sit at the desk in Chromium", 0, 0),
    readers: whole("readers in all", 60),
    minutes: whole("how long readers come and ask", 3),
    between: whole("seconds between two things that happen to a tab, about", 30),
    kills: whole("seconds between two deaths of the machine, about; 0: it lives", 40, 0),
    slots: whole("chats that an agent can have at once", 6),
    queue: flag("chats wait in a queue, as with every second seed"),
    "no-mail": flag("without mail servers"),
    seed: whole("of what is random: the same seed draws the same", 1, 0),
  },
  fails:
    "a reader is forgotten, waits more than 60 s for an agent who is gone, is told what is not so, or a message, an answer or a mail is lost or there twice",
});

const languages = ["en", "es", "de", "fr", "it"];
const directory = await mkdtemp(join(tmpdir(), "afterword-desk-chaos-"));
const undo: (() => Promise<unknown>)[] = [];
try {
  const servers = options["no-mail"] ? null : await startMailServers();
  if (servers !== null) undo.push(() => servers.end());
  const machine = await startMachine(directory, servers);
  undo.push(() => machine.end());
  process.exitCode = (await play(machine, servers)) === 0 ? 0 : 1;
} finally {
  for (const step of undo.toReversed()) await step();
  await rm(directory, { recursive: true, force: true });
}

/** The participants of one day. */
interface Cast {
  readonly clerks: readonly Clerk[];
  readonly browsers: readonly Agent[];
  readonly readers: readonly Reader[];
  readonly replies: readonly Written[];
  readonly seen: readonly { readonly reader: string; readonly words: readonly string[] }[];
  readonly happened: readonly string[];
}

async function play(machine: Machine, servers: MailServers | null): Promise<number> {
  const { url } = machine;
  const clients = createClients({
    auth: { url, apiKey: "demo-key", secret: "demo-secret" },
    chat: { url, appId: "demo-app", secret: "demo-app-secret" },
  });
  const { chat } = clients;
  await chat.changeSettings({
    queue: { active: options.queue || options.seed % 2 === 0 },
    invitationTimeout: 8,
    inactivity: 20,
  });
  const began = Date.now();
  const closing = began + options.minutes * 60_000;
  const happened: string[] = [];
  const note = (what: string): void => void happened.push(`${clock(Date.now(), began)} ${what}`);
  const replies: Written[] = [];
  const seen: { reader: string; words: readonly string[] }[] = [];
  const clerks: Clerk[] = [];
  const browsers: Agent[] = [];
  const isOver = (): boolean => Date.now() > closing;
  for (let number = 0; number < options.agents; number++) {
    const login = `desk-agent-${number + 1}`;
    const rights = { TICKET_VIEW: true, TICKET_EDIT: true };
    const { agent } = await chat.createAgent({
      ...{ name: login, login, password: `${login} works`, rooms: ["1"] },
      ...{ slots: options.slots, rights },
    });
    note(`${login} is ${agent.id}`);
    const random = seeded(options.seed * 1000 + number);
    const shared = {
      ...{ id: agent.id, login, password: `${login} works`, random },
      ...{ between: options.between * 1000, note: (what: string) => note(`${login} ${what}`) },
    };
    if (number < options.browsers) {
      const over = (): boolean => Date.now() > closing + 5_000;
      const line = await openLine(url);
      const look = (reader: string, words: readonly string[]) => seen.push({ reader, words });
      browsers.push(new Agent({ ...shared, line, over, seen: look }));
      continue;
    }
    const others = (): readonly Clerk[] => clerks.filter(({ id }) => id !== agent.id);
    clerks.push(
      new Clerk({
        ...shared,
        url,
        over: isOver,
        colleague: () => others()[Math.floor(random() * others().length)] ?? ownOf(clerks, login),
        replyTo: (ticket) => replyAsPerson(clients, ticket, replies),
        permit: (id, may) =>
          untilUp(() => chat.changeAgent(id, { rights: { TICKET_EDIT: may } })).then(
            () => undefined,
          ),
      }),
    );
  }
  const lines = readLines(languages);
  const readers = Array.from({ length: options.readers }, (_, number) => {
    const lang = languages[number % languages.length] ?? "en";
    const draws = seeded(options.seed * 1000 + 500 + number);
    return new Reader({ number, lang, listens: number % 10 !== 5, random: draws, lines, url });
  });
  const cast = { clerks, browsers, readers, replies, seen, happened };
  const online = watchOnline(chat, isOver);
  let isDone = false;
  const post =
    servers === null ? null : answerMails(servers, seeded(options.seed * 7), () => isOver());
  const posted = post?.posted ?? [];
  const deaths = [killMachine(machine, note, isOver), killMail(servers, note, isOver)];
  const work = [...clerks, ...browsers].map((agent) => agent.work());
  const random = seeded(options.seed);
  const lives = readers.map(async (reader) => {
    await sleep(random() * Math.max(0, closing - 50_000 - Date.now()));
    await reader.live(isOver);
  });
  const progress = setInterval(() => tell(cast, began), 30_000);
  const failures = (await Promise.allSettled(lives)).flatMap((life) =>
    life.status === "rejected" ? [String(life.reason)] : [],
  );
  await Promise.all([...work, ...deaths, online.work, post?.work]);
  // Lets all work finish: agents are there, tickets are created, mails arrive.
  const finishing = clerks.map((clerk) => clerk.finish(() => isDone));
  await settle(machine, posted);
  isDone = true;
  await Promise.all(finishing);
  clearInterval(progress);
  await sleep(3_000);
  for (const reader of readers) await reader.end();
  for (const agent of [...clerks, ...browsers]) await agent.end();

  const sql = openSql(machine.database);
  const ids = new Set([...clerks, ...browsers].map(({ id }) => id));
  const day: Day = {
    truth: readTruth(sql, ids),
    agents: new Map([...clerks, ...browsers].map(({ id, presences }) => [id, presences])),
    kept: readKept(sql, ids),
    tickets: readTickets(sql),
    online: online.looks,
    slots: options.slots,
    downs: machine.downs,
    began,
    ended: closing,
  };
  const written = [...clerks.flatMap((clerk) => clerk.written), ...replies];
  const counts = [
    ...judgeReaders(cast, day),
    ...recount(sql, { written, posted, sent: servers?.sent() ?? [] }),
    { what: "what agents may do", looked: clerks.length, violations: problemsOf(clerks) },
    { what: "readers who could ask", looked: readers.length, violations: failures },
  ];
  sql.close();
  return report(counts, cast, day);
}

function ownOf(clerks: readonly Clerk[], login: string): Clerk {
  const [clerk] = clerks;
  if (clerk === undefined) throw new Error(`${login} has no colleague`);
  return clerk;
}

function problemsOf(clerks: readonly Clerk[]): readonly string[] {
  return clerks.flatMap(({ problems }) => problems);
}

/** Calls again until the machine is up. */
async function untilUp<Value>(call: () => Promise<Value>): Promise<Value> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isCallError(error) || error.status !== null) throw error;
      await sleep(300);
    }
  }
}

async function replyAsPerson(
  { ticketing }: Clients,
  ticket: string,
  replies: Written[],
): Promise<void> {
  const text = `reply ${replies.length + 1} to ${ticket}`;
  const one: Written = { kind: "reply", text, state: "open" };
  replies.push(one);
  const { creator } = await untilUp(() => ticketing.ticket(ticket));
  try {
    const reply = { message: text, creator };
    await untilUp(() => ticketing.createReply(ticket, reply, { idempotencyKey: text }));
    one.state = "stored";
  } catch (error) {
    if (!isCallError(error) || error.status !== 409) throw error;
    one.state = "refused";
  }
}

async function killMachine(
  machine: Machine,
  note: (what: string) => void,
  over: () => boolean,
): Promise<void> {
  const random = seeded(options.seed * 11);
  while (options.kills > 0 && !over()) {
    await sleep(options.kills * 1000 * (0.5 + random()));
    if (over()) return;
    note("the machine is killed");
    await machine.crash();
    note("the machine is back");
  }
}

async function killMail(
  servers: MailServers | null,
  note: (what: string) => void,
  over: () => boolean,
): Promise<void> {
  const random = seeded(options.seed * 13);
  while (servers !== null && !over()) {
    await sleep(30_000 * (0.5 + random()));
    if (over()) return;
    const which = random() < 0.5 ? "smtp" : "imap";
    note(`${which} is killed`);
    await servers.kill(which);
    await sleep(3_000 * random());
    await servers.start(which);
    note(`${which} is back`);
  }
}

/** Notes every second which agents are online. */
function watchOnline(chat: ChatClient, over: () => boolean) {
  const looks: { readonly at: number; readonly agents: ReadonlySet<string> }[] = [];
  const work = (async () => {
    while (!over()) {
      const agents = new Set<string>();
      try {
        for await (const { id, online, status } of chat.agents()) {
          if (online && status === "online") agents.add(id);
        }
        looks.push({ at: Date.now(), agents });
      } catch (error) {
        if (!isCallError(error)) throw error;
      }
      await sleep(1_000);
    }
  })();
  return { looks, work };
}

/** Waits until no work is left, two minutes at most; the recount reports the rest. */
async function settle({ database }: Machine, posted: readonly Posted[]): Promise<void> {
  const until = Date.now() + 150_000;
  while (Date.now() < until) {
    await sleep(3_000);
    const sql = openSql(database);
    const left = underWay(sql, posted);
    sql.close();
    if (left.length === 0) return;
  }
}

function judgeReaders({ readers, seen }: Cast, day: Day): readonly Count[] {
  const judged = readers.map((reader) => {
    const asked = reader.asked.map(({ words }) => words);
    const shown = seen.filter(({ reader: name }) => name === reader.name);
    const wrong = shown.flatMap(({ words }) => inOrder(words, asked));
    return { reader, wrong: [...new Set(wrong)], ...judge(reader, day) };
  });
  const tell = (name: string, violations: readonly string[]): readonly string[] =>
    violations.map((violation) => `${name}: ${violation}`);
  const longest = Math.max(0, ...judged.map(({ longest: one }) => one));
  return [
    {
      what: `what readers were told (at most ${clock(longest, 0)} without an agent)`,
      looked: readers.reduce((sum, { timeline }) => sum + timeline.length, 0),
      violations: judged.flatMap(({ reader, violations }) => tell(reader.name, violations)),
    },
    {
      what: "what the desk showed in Chromium",
      looked: seen.length,
      violations: judged.flatMap(({ reader, wrong }) => tell(reader.name, wrong)),
    },
  ];
}

/** A desk must have shown the questions so far, in order. */
function inOrder(words: readonly string[], asked: readonly string[]): readonly string[] {
  const wrong = words.findIndex((one, index) => one !== asked[index]);
  return wrong === -1 ? [] : [`the desk shows “${words[wrong]}” instead of “${asked[wrong]}”`];
}

function tell({ readers, happened }: Cast, began: number): void {
  const asked = readers.reduce((sum, reader) => sum + reader.asked.length, 0);
  process.stderr.write(
    `${clock(Date.now(), began)}: ${asked} questions, ${happened.length} hurt\n`,
  );
}

/** Prints the table, and the events before each violation. */
function report(counts: readonly Count[], { readers, happened }: Cast, day: Day): number {
  const faults = counts.reduce((sum, { violations }) => sum + violations.length, 0);
  if (faults > 0) for (const what of happened) console.log(`  ${what}`);
  for (const { violations } of counts) {
    for (const violation of violations) console.log(`NO  ${violation}`);
  }
  const troubled = readers.filter(({ name }) =>
    counts.some(({ violations }) => violations.some((one) => one.startsWith(`${name}: `))),
  );
  for (const reader of troubled) {
    const { name, lang, timeline } = reader;
    console.log(`\n${name} (${lang})`);
    for (const moment of judge(reader, day).story) console.log(`  ${moment}`);
    for (const { at, kind, text, key = "" } of timeline) {
      console.log(`      ${clock(at, day.began)} ${kind} ${key} ${text}`);
    }
  }
  for (const { what, looked, violations } of counts) {
    console.log(
      `${what.padEnd(60)} ${String(looked).padStart(6)} ${violations.length === 0 ? "ok" : `${violations.length} NO`}`,
    );
  }
  console.log(
    `${options.agents} agents, ${options.readers} readers, seed ${options.seed}:`,
    `${day.kept.length} chats, ${day.tickets.length} tickets, ${day.downs.length} deaths of the machine, ${happened.length} hurts, ${faults} faults`,
  );
  if (faults > 0)
    console.log(`npm run chaos -- desk --seed ${options.seed} --minutes ${options.minutes}`);
  return faults;
}
