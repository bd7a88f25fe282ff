import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { addSearchedTexts } from "../../../../src/backend/storage/search-index.ts";
import type { BackendDatabase } from "../../../../src/backend/storage/tables/database.ts";
import { STORES } from "../stores.ts";
import { toItem, session } from "../../../backend/storage/suites/samples.ts";
import { png, type Service, service } from "../../../backend/ticketing/service.ts";
import { afterword } from "../../terminal.ts";

/** Anna's data that must not remain anywhere. */
const annas = /anna k|(?<!jo)anna@shop\.example|purple|beige/i;

/** Tests erasing on one kind of database, which is in use all the time. */
export function erasing(
  kind: string,
  newDatabase: () => Promise<string>,
  rawBytes: (address: string) => Promise<string>,
): void {
  const erase = (database: string, ...args: string[]) =>
    afterword(["backend", "erase", "--database", database, ...args]);

  describe(`erasing from ${kind}`, () => {
    test("removes a person from every table, and nothing of others", async () => {
      const address = await newDatabase();
      const made = await service(address);
      const { anna } = await fill(made);
      const before = await dump(made.database);
      expect(before).toMatch(annas);
      const dry = await erase(address, "--user", "Anna@Shop.example ", "--dry-run");
      expect(dry).toMatchObject({ code: 0, error: "" });
      expect(await dump(made.database)).toBe(before);

      const done = await erase(address, "--user", "Anna@Shop.example ", "--yes");
      expect(done.code).toBe(0);
      expect(done.out).toBe(dry.out.replace("would be erased", "erased"));
      expect(figures(done.out)).toEqual({
        users: 1,
        tickets: 1,
        "replies in them": 1,
        "entries of their history": 3,
        "surveys about them": 1,
        "files that nothing else uses": 2,
        "replies to others' tickets": 1,
        "others' tickets and changes that named the user": 2,
        "idempotency keys": 1,
        "webhook events not yet delivered": 4,
        conversations: 3,
        "messages in them": 3,
        "events reported from them": 3,
        "knowledge sessions": 1,
        "events of the knowledge service": 3,
        "users of the live chat": 1,
        chats: 1,
        "messages and files in them": 2,
      });
      expect(done.out).toContain(`user ${anna} of shop: anna@shop.example`);
      expect(done.out).toMatch(/stay, look at them: \d+\n/);
      const after = await dump(made.database);
      // Other people's texts stay, and were named above.
      expect(after.replaceAll("Ask anna@shop.example about it", "")).not.toMatch(annas);
      const keys = await made.database.kysely
        .selectFrom("idempotency_keys")
        .select("key")
        .execute();
      expect(keys.map(({ key }) => key).toSorted()).toEqual(["three", "two"]);
      for (const kept of ["Bert", "joanna@shop.example", "green", "(erased)", "support@"]) {
        expect(after).toContain(kept);
      }
      expect(await rawBytes(address)).not.toMatch(/purple|beige|anna k/i);
    });

    test("finds a user by number and by UUID too, and says when nothing is there", async () => {
      const address = await newDatabase();
      const made = await service(address);
      const users = await Promise.all([made.user(), made.user()]);
      const { body } = await made.ask("GET", `/users/${users[1]}`);
      for (const user of [String(users[0]), String(body.hash_uuid)]) {
        expect(await erase(address, "--user", user, "--yes")).toMatchObject({ code: 0 });
        const again = await erase(address, "--user", user, "--yes");
        expect(again).toMatchObject({
          code: 1,
          error: `afterword backend erase: nothing of ${user} was found\n`,
          out: expect.stringMatching(
            new RegExp(`^nothing was found: ${user}\nnote: no user has this address or id\n`),
          ),
        });
      }
    });

    test("is limited to one project, and keeps the messages of a person who worked there", async () => {
      const address = await newDatabase();
      const made = await service(address);
      const { anna, bertsTicket } = await fill(made);
      const user = { name: "Anna K", address: "anna@shop.example" };
      await made.askOther("POST", "/users", user);
      const none = await erase(address, "--user", user.address, "--project", "shops", "--yes");
      expect(none.code).toBe(1);
      const args = ["--project", "shop", "--keep-replies", "--yes"];
      const done = await erase(address, "--user", user.address, ...args);
      expect(done.out).toContain("chats belong to no project");
      const replies = await made.ask("GET", `/tickets/${bertsTicket}/replies`);
      expect(replies.body.data).toMatchObject([
        { message: "green answer" },
        { message: "beige reply", creator: anna },
      ]);
      const nobody = await made.ask("GET", `/users/${anna}`);
      expect(nobody.body).toMatchObject({ name: "", address: `erased-${anna}`, extra: [] });
      const others = await made.database.kysely.selectFrom("users").selectAll().execute();
      expect(others.filter((row) => row.address === user.address)).toMatchObject([
        { project: "bank" },
      ]);
    });

    test("is complete or not done at all", async () => {
      const address = await newDatabase();
      const made = await service(address);
      await fill(made);
      const before = await dump(made.database);
      // Simulates a disk that is full at the last step.
      const { kysely } = made.database;
      await (kind === "SQLite"
        ? sql`CREATE TRIGGER no BEFORE DELETE ON chat_people BEGIN SELECT RAISE(ABORT, 'no'); END`.execute(
            kysely,
          )
        : sql`CREATE RULE no AS ON DELETE TO chat_people DO INSTEAD SELECT 1/0`.execute(kysely));
      await expect(erase(address, "--user", "anna@shop.example", "--yes")).rejects.toThrow(
        /no|division/,
      );
      expect(await dump(made.database)).toBe(before);
    });
  });
}

/** Adds Anna, Bert and Joanna wherever a person can be stored. */
async function fill(made: Service): Promise<{ anna: number; bertsTicket: number }> {
  const { ask, database } = made;
  const userOf = async (name: string, address: string): Promise<number> =>
    (await ask("POST", "/users", { name, address, extra: [{ id: 1, content: `${name}: purple` }] }))
      .body.uuid;
  const anna = await userOf("Anna K", "anna@shop.example");
  const { body: bertsBody } = await ask("POST", "/users", {
    name: "Bert",
    address: "bert@shop.example",
  });
  const bert = bertsBody.uuid;
  const media = async (name: string): Promise<number> =>
    (await ask("POST", "/media", { name, content: png })).body.uuid;
  for (const item of ["ticket", "reply"]) {
    const hook = { item, url: "https://hook.example/in", secret: "shared" };
    expect(await ask("POST", "/webhooks", hook)).toMatchObject({ status: 200 });
  }
  const [own, ofReply, shared] = [
    await media("purple.png"),
    await media("beige.png"),
    await media("green.png"),
  ];
  const ticket = {
    message: "my purple order",
    creator: anna,
    attachments: [String(own), String(shared)],
  };
  const key = { "idempotency-key": "one" };
  const { body: annas } = await ask("POST", "/tickets", ticket, key);
  const green = {
    message: "green question",
    creator: bert,
    attachments: [String(shared)],
    solver: anna,
  };
  const { body: berts } = await ask("POST", "/tickets", green, { "idempotency-key": "two" });
  await ask("POST", "/tickets", { message: "Ask anna@shop.example about it", creator: bert });
  made.time.advance(1);
  // It has the number of Anna's ticket, and a key.
  const answer = { message: "green answer", creator: bert };
  const three = { "idempotency-key": "three" };
  const { body: reply } = await ask("POST", `/tickets/${berts.uuid}/replies`, answer, three);
  expect(reply.uuid).toBe(annas.uuid);
  await ask("POST", `/tickets/${annas.uuid}/replies`, { message: "purple answer", creator: bert });
  const beige = { message: "beige reply", creator: anna, attachments: [String(ofReply)] };
  await ask("POST", `/tickets/${berts.uuid}/replies`, beige);
  await ask("PUT", `/tickets/${annas.uuid}`, { status: 2, actor: bert });
  await survey(made, annas.uuid);
  await conversations(database);
  await knowledge(database);
  await chat(database);
  return { anna, bertsTicket: berts.uuid };
}

async function survey({ database, time }: Service, ticket: number): Promise<void> {
  const { kysely } = database;
  const row = { project: "shop", document: "{}" };
  const { id } = await kysely
    .insertInto("surveys")
    .values(row)
    .returning("id")
    .executeTakeFirstOrThrow();
  const answers = {
    token: "t",
    survey: id,
    ticket,
    answers: '{"1":"purple"}',
    created: time.now(),
  };
  await kysely
    .insertInto("survey_answers")
    .values({ ...answers, project: "shop" })
    .execute();
}

async function conversations({ kysely }: BackendDatabase): Promise<void> {
  const forms = { form: { values: { "1": "ANNA@shop.example" } }, kind: "form" };
  const sessions = {
    variable: { variables: [["email", "anna@shop.example"]] },
    form: { open: forms },
    said: {},
    joanna: {
      variables: [
        ["email", "joanna@shop.example"],
        ["color", "green"],
      ],
    },
    told: {},
  };
  for (const [key, more] of Object.entries(sessions)) {
    const document = JSON.stringify({ ...session(key), ...more });
    await kysely
      .insertInto("sessions")
      .values({ key, project: "shop", expires: 9e12, document })
      .execute();
  }
  const lines = [
    ["variable", { ...toItem("purple"), user: "user" }],
    ["said", { ...toItem("I am anna@shop.example."), user: "user" }],
    ["said", toItem("purple it is")],
    ["joanna", { ...toItem("green"), user: "user" }],
    // The engine's own words do not make anybody Anna, although they contain her address.
    ["told", toItem("Write to support@shop.example")],
  ] as const;
  for (const [key, item] of lines) {
    await kysely
      .insertInto("history")
      .values({ session: key, item: JSON.stringify(item) })
      .execute();
  }
  const events = [
    ["id of said", '{"code":"rate.1.1","comment":"purple"}'],
    ["an older one", '{"mail":"anna@shop.example"}'],
    ["an older one", '{"comment":"purple"}'],
    ["id of joanna", '{"comment":"green, joanna@shop.example"}'],
  ] as const;
  for (const [from, data] of events) {
    const row = { at: 1, project: "shop", session: from, type: "rate", data };
    await kysely.insertInto("events").values(row).execute();
  }
}

async function knowledge({ kysely }: BackendDatabase): Promise<void> {
  for (const name of ["annas", "joannas"]) {
    const row = { key: name, project: "shop", session: name, began: 1, last: 1, sdk_version: null };
    await kysely.insertInto("knowledge_sessions").values(row).execute();
  }
  const events = [
    ["annas", { data: '{"email":"Anna@shop.example"}' }],
    ["annas", { query: "purple shoes" }],
    [null, { comment: "call anna@shop.example" }],
    ["joannas", { query: "green shoes for joanna@shop.example" }],
  ] as const;
  for (const [from, more] of events) {
    const row = {
      ...{ project: "shop", at: 1, session: from, type: "search", log: null, content: null },
      ...{ clicked: 0, user_question: null, query: null, found: null, rating: null, comment: null },
      ...{ language: "en", environment: "production", source: "", user_type: 0, ip: null },
      ...{ user_agent: null, sdk_version: null, data: "null", ...more },
    };
    await kysely.insertInto("knowledge_events").values(row).execute();
  }
}

async function chat({ kysely }: BackendDatabase): Promise<void> {
  for (const [name, color] of [
    ["anna", "purple"],
    ["joanna", "green"],
  ] as const) {
    const own = { id: `person-${name}`, app: "a", created: 1 };
    const person = { kind: "user", name: color, nickname: null, external_id: null, extra: "{}" };
    await kysely
      .insertInto("chat_people")
      .values({ ...own, ...person, contact: `${name}@shop.example` })
      .execute();
    await kysely
      .insertInto("chat_tokens")
      .values({ digest: name, app: "a", person: own.id, expires: 1 })
      .execute();
    const { number } = await kysely
      .insertInto("chat_chats")
      .values({
        ...{
          id: `chat-${name}`,
          app: "a",
          created: 1,
          room: "1",
          room_json: "1",
          source_json: "3",
        },
        ...{ creator: own.id, lang: "en", external_id: "", phase: "closed", round: 0 },
      })
      .returning("number")
      .executeTakeFirstOrThrow();
    await kysely
      .insertInto("chat_members")
      .values({ chat: number, person: own.id, kind: "user", joined: 1, left_at: null })
      .execute();
    const message = { app: "a", created: 1, chat: number, sender: own.id, type: "text" };
    const { number: line } = await kysely
      .insertInto("chat_messages")
      .values({ ...message, id: `message-${name}`, message: `{"message":"${color}"}` })
      .returning("number")
      .executeTakeFirstOrThrow();
    await kysely.insertInto("chat_reads").values({ message: line, reader: "x", at: 1 }).execute();
    const { number: note } = await kysely
      .insertInto("chat_notes")
      .values({ app: "a", created: 1, chat: number, author: "x", id: `note-${name}`, text: color })
      .returning("number")
      .executeTakeFirstOrThrow();
    const { number: someone } = await kysely
      .selectFrom("chat_people")
      .select("number")
      .where("id", "=", own.id)
      .executeTakeFirstOrThrow();
    const who = `${color} ${name}@shop.example`;
    await addSearchedTexts(kysely, [
      { kind: "message", source: line, subject: number, text: color },
      { kind: "note", source: note, subject: number, text: `${color} note` },
      { kind: "person", source: someone, subject: someone, text: who },
    ]);
    const file = {
      id: `file-${name}`,
      app: "a",
      created: 1,
      name: color,
      type: "text/plain",
      size: 1,
    };
    await kysely
      .insertInto("chat_media")
      .values({ ...file, data: null, chat: number })
      .execute();
    const log = { app: "a", chat: number, trigger_name: "messages:new", data: `"${color}"`, at: 1 };
    await kysely.insertInto("chat_log").values(log).execute();
  }
}

/** All rows of all tables, as text. */
async function dump({ kysely }: BackendDatabase): Promise<string> {
  let text = "";
  for (const table of Object.keys(STORES)) {
    const { rows } = await sql<object>`SELECT * FROM ${sql.table(table)}`.execute(kysely);
    const lines = rows.map((row) =>
      JSON.stringify(row, (_, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value,
      ),
    );
    text += `${table}\n${lines.toSorted().join("\n")}\n`;
  }
  return text;
}

function figures(out: string): Readonly<Record<string, number>> {
  const lines = out.matchAll(/^(.+?) {2,}(\d+)$/gm);
  return Object.fromEntries(Array.from(lines, ([, label = "", count]) => [label, Number(count)]));
}
