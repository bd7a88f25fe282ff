/** Measures how long agents wait for a search: `npm run bench -- search --help`. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBackend } from "../../src/backend/node.ts";
import { addSearchedTexts } from "../../src/backend/storage/search-index.ts";
import { openDatabase } from "../../src/backend/storage/open-database.ts";
import { seeded } from "../backend/random.ts";
import { describeMachine, loadAverage } from "../machine.ts";
import { optionalText, readOptions, whole } from "../options.ts";
import { medianOf } from "../statistics.ts";

const options = readOptions({
  name: "npm run bench -- search",
  about:
    "Fills a database with closed chats and searches them as the desk does. An old word stands in the oldest tenth of the chats alone, in more texts than are listed.",
  options: {
    chats: whole("chats of ten messages", 100_000),
    rounds: whole("how often each search is made", 7),
    goal: whole("milliseconds for the median of each search", 1_000),
    database: optionalText(
      "address of a database, which is filled if it has no chats",
      "ADDRESS",
      "a new SQLite file",
    ),
  },
  fails: "a search takes longer than the goal",
});

/** The searched terms, and how they occur in the texts. */
const SEARCHES = [
  ["a word of most texts", "order"],
  ["a common word of old chats alone", "telegram"],
  ["two common words", "order parcel"],
  ["a common word with an old one", "order telegram"],
  ["two common words that no chat has both", "telegram courier"],
  ["two words of one message in twenty each", "courier voucher"],
  ["two words of one message in a hundred each", "refund invoice"],
  ["a common word with a rare one", "order w4999"],
  ["a beginning that many words have", "w1"],
  ["a rare word", "w4999"],
  ["a name", "Person 77"],
  ["no text at all", "xyzzy"],
] as const;

const PER_CHAT = 10;
const random = seeded(1);
const directory = await mkdtemp(join(tmpdir(), "afterword-search-"));
const address = options.database ?? join(directory, "backend.db");
try {
  process.exitCode = (await run()) ? 0 : 1;
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function run(): Promise<boolean> {
  const backend = await openBackend({
    content: "config/backend",
    database: address,
    signingKeys: [new Uint8Array(32).fill(7)],
    demo: true,
  });
  try {
    await fill();
    const app = { "x-hyper-appId": "demo-app" };
    const login = await backend.app.request("/v1/agents/login", {
      method: "POST",
      headers: app,
      body: JSON.stringify({ login: "demo-agent", password: "demo-agent" }),
    });
    const { session } = JSON.parse(await login.text());
    const headers = { ...app, "x-hyper-token": session.token };
    const { processor, cores, system, node } = describeMachine(process.version);
    console.log(`${cores} cores of ${processor}, ${system}, Node ${node}, load ${loadAverage()}`);
    let isFast = true;
    for (const [what, search] of SEARCHES) {
      const times: number[] = [];
      let found = 0;
      for (let round = 0; round < options.rounds; round++) {
        const began = performance.now();
        const query = `order=newest&length=50&search=${encodeURIComponent(search)}`;
        const answer = await backend.app.request(`/v1/chats?${query}`, { headers });
        found = JSON.parse(await answer.text()).chats.length;
        times.push(performance.now() - began);
      }
      const median = medianOf(times);
      isFast &&= median <= options.goal;
      const [least, most] = [Math.min(...times), Math.max(...times)].map(Math.round);
      console.log(
        `${what} (${found}): ${least} ms at best, median ${median.toFixed(0)}, most ${most}`,
      );
    }
    return isFast;
  } finally {
    await backend.close();
  }
}

/** Writes a message of about twelve words, the more common ones more often. */
function write(age: number): string {
  const words = Array.from({ length: 10 }, () => `w${Math.floor(5_000 * random() ** 2)}`);
  if (random() < 0.7) words.push("order");
  if (random() < 0.2) words.push("parcel");
  if (age < 0.1 && random() < 0.5) words.push("telegram");
  if (age >= 0.1 && random() < 0.05) words.push("courier");
  // How many of a million messages have each of these terms, so that they are just listed: on
  // SQLite, on PostgreSQL.
  for (const word of ["refund", "invoice"]) if (random() < 0.0095) words.push(word);
  if (random() < 0.045) words.push("voucher");
  return words.join(" ");
}

/** Fills the tables that a search reads, unless an earlier run has done so. */
async function fill(): Promise<void> {
  const { kysely, close } = await openDatabase(address);
  const known = await kysely.selectFrom("chat_chats").select("number").executeTakeFirst();
  if (known !== undefined) return close();
  const began = Date.now() - options.chats * 1_000;
  const portion = 50;
  for (let first = 0; first < options.chats; first += portion) {
    const numbers = Array.from({ length: portion }, (_, at) => first + at);
    await kysely.transaction().execute(async (queries) => {
      const app = "demo-app";
      const people = numbers.map((one) => ({
        id: randomUUID(),
        app,
        created: began + one * 1_000,
      }));
      const added = await queries
        .insertInto("chat_people")
        .values(
          people.map((one, at) => ({
            ...one,
            kind: "user",
            name: `Person ${first + at}`,
            nickname: null,
            contact: "",
            external_id: null,
            extra: "{}",
          })),
        )
        .returning("number")
        .execute();
      const chats = await queries
        .insertInto("chat_chats")
        .values(
          people.map(({ id: creator, created }) => ({
            id: randomUUID(),
            app,
            created,
            room: "1",
            room_json: '"1"',
            source_json: '"3"',
            creator,
            lang: "en",
            external_id: "",
            phase: "closed",
            round: 0,
            closed: created,
          })),
        )
        .returning(["number", "created"])
        .execute();
      const said = chats.flatMap(({ number: chat, created }, at) =>
        Array.from({ length: PER_CHAT }, () => ({
          id: randomUUID(),
          app,
          created,
          chat,
          sender: people[at]?.id ?? "",
          type: "text",
          message: write((first + at) / options.chats),
        })),
      );
      const messages = await queries
        .insertInto("chat_messages")
        .values(said.map((one) => ({ ...one, message: JSON.stringify(one.message) })))
        .returning("number")
        .execute();
      await addSearchedTexts(queries, [
        ...added.map(({ number }, at) => ({
          kind: "person" as const,
          source: number,
          subject: number,
          text: `Person ${first + at}`,
        })),
        ...messages.map(({ number }, at) => ({
          kind: "message" as const,
          source: number,
          subject: said[at]?.chat ?? 0,
          text: said[at]?.message ?? "",
        })),
      ]);
    });
  }
  await close();
}
