// Suite: long
import { describe, expect, test, vi } from "vitest";
import { registerApp } from "../../../src/backend/chat/agents/apps.ts";
import type { Operation } from "../../../src/api/call/operation.ts";
import { belongings, EVERY, requestOf } from "./requests.ts";
import type { Belongings } from "./requests.ts";
import { service } from "./service.ts";
import type { Service } from "./service.ts";

// Sends many requests to every operation, or files of megabytes.
vi.setConfig({ testTimeout: 180_000 });

/**
 * The permitted callers of each operation. `anybody`: clients with the app's id. `people`: users
 * and agents with their own token. `users`, `agents`: only these. `app`: the app's server with its
 * secret, which may use all others too, except `viewers`: agents with the right to view.
 */
const table = {
  anybody: [
    "validateApp",
    "createUser",
    "availableAgents",
    "onlineAgents",
    "loginAgent",
    "settings",
  ],
  people: [
    ...[
      "user",
      "changeUser",
      "activity",
      "chats",
      "chat",
      "closeChat",
      "join",
      "leave",
      "chatUsers",
    ],
    ...["messages", "sendMessage", "readMessage", "history", "upload", "download", "queuePosition"],
    "events",
  ],
  users: ["createChat"],
  agents: [
    ...["agents", "agent", "changeAgent", "logoutAgent", "rooms"],
    ...["toInbox", "transfer", "invite", "accept", "reject", "notes", "addNote"],
    "cannedAnswers",
  ],
  viewers: [
    ...["tickets", "ticket", "ticketFile", "ticketChoices", "ticketPeople", "chatTickets"],
    ...[
      "createTicket",
      "changeTicket",
      "changeTickets",
      "answerTicket",
      "addTicketNote",
      "noteTicketActivity",
      "mergeTicket",
      "decideTicketMail",
    ],
    "uploadTicketFile",
    "figures",
  ],
  app: [
    ...["createApp", "apps", "app", "changeApp", "users", "createAgent", "createRoom", "newId"],
    ...["changeChat", "assign", "importHistory", "mediaList", "queueStatus", "changeSettings"],
    "changeCannedAnswers",
    ...["surveys", "survey", "createSurvey"],
    ...["webhooks", "webhook", "createWebhook", "changeWebhook", "removeWebhook"],
    ...["undelivered", "resendUndelivered"],
  ],
} as const;

type Whom = keyof typeof table;

/** Every operation in every spelling of its path, with its permitted callers. */
const rows = EVERY.flatMap((operation) => {
  const whom = (Object.keys(table) as Whom[]).filter((one) =>
    (table[one] as readonly string[]).includes(operation.id.slice("chat.".length)),
  );
  const paths = [operation.path, ...(operation.aliases ?? [])];
  return paths.map((path) => ({ operation: { ...operation, path }, whom }));
});

test("the table has every operation once", () => {
  expect(rows.filter(({ whom }) => whom.length !== 1).map(({ operation }) => operation.id)).toEqual(
    [],
  );
  expect(new Set(rows.map(({ operation }) => operation.id)).size).toBe(EVERY.length);
  expect(Object.values(table).flat()).toHaveLength(EVERY.length);
});

async function statusOf(
  { routes }: Service,
  operation: Operation,
  own: Belongings,
  credentials: Record<string, string>,
  { me = own.user, query = "" } = {},
): Promise<number> {
  const { method, path, body } = requestOf(operation, own, me);
  const answer = await routes.request(path + (query && (path.includes("?") ? "&" : "?") + query), {
    method,
    headers: credentials,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  await answer.body?.cancel();
  return answer.status;
}

/** The operations that are not answered with one of these statuses. */
async function others(
  wanted: readonly number[],
  some: typeof rows,
  ask: (operation: Operation) => Promise<number>,
): Promise<readonly string[]> {
  expect(some.length).toBeGreaterThan(0);
  const found: string[] = [];
  for (const { operation } of some) {
    const status = await ask(operation);
    if (!wanted.includes(status)) found.push(`${operation.method} ${operation.path}: ${status}`);
  }
  return found;
}

const of = (...whom: readonly Whom[]): typeof rows =>
  rows.filter((row) => row.whom.some((one) => whom.includes(one)));

describe("without the app's own credentials", () => {
  test("every operation is refused: without an id, for an unknown app, and with a wrong secret or another app's secret or token", async () => {
    const made = await service(null);
    const own = await belongings(made);
    const other = await registerApp(made.options, "Other");
    const foreign = await made.routes.request("/v1/users", {
      method: "POST",
      headers: { "x-hyper-appId": other.appId },
      body: '{"name":"Eve"}',
    });
    const { session } = (await foreign.json()) as { session: { token: string } };
    const id = { "x-hyper-appId": made.appId };
    const secret = { "x-hyper-secret": made.secret };
    const credentials: Readonly<Record<string, Record<string, string>>> = {
      none: {},
      "the secret alone": secret,
      "the token alone": { "x-hyper-token": own.userToken },
      "no such app": { "x-hyper-appId": "nobody", ...secret },
      "the id in the place of the secret": { ...id, "x-hyper-secret": made.appId },
      "the secret's digest": { ...id, "x-hyper-secret": await digestIn(made) },
      "a wrong secret": { ...id, "x-hyper-secret": `${made.secret.slice(0, -1)}_` },
      "another app's secret": { ...id, "x-hyper-secret": other.secret },
      "another app's id": { "x-hyper-appId": other.appId, ...secret },
      "another app's id and the token": {
        "x-hyper-appId": other.appId,
        "x-hyper-token": own.userToken,
      },
      "another app's user": { ...id, "x-hyper-token": session.token },
      "a wrong token": { ...id, "x-hyper-token": "wrong" },
      "the secret, and a wrong token": { ...id, ...secret, "x-hyper-token": "wrong" },
      "a token, and a wrong secret": {
        ...id,
        "x-hyper-token": own.userToken,
        "x-hyper-secret": "x",
      },
    };
    for (const [name, headers] of Object.entries(credentials)) {
      const ask = (one: Operation): Promise<number> => statusOf(made, one, own, headers);
      expect([name, await others([401], rows, ask)]).toEqual([name, []]);
    }
    for (const query of [`appId=${made.appId}&secret=wrong`, `appId=${made.appId}&token=wrong`]) {
      const ask = (one: Operation): Promise<number> => statusOf(made, one, own, {}, { query });
      expect([query, await others([401], rows, ask)]).toEqual([query, []]);
    }
    // None of these calls has changed anything.
    expect((await made.ask("GET", `chats/${own.chat}`)).body.chat.status).toBe("active");
    expect((await made.ask("GET", "users")).body.users).toHaveLength(1);
    expect((await made.ask("GET", "surveys")).body.surveys).toHaveLength(1);
  });

  test("the id alone opens availability, sign-up and what comes before them; everything else is 401", async () => {
    const made = await service(null);
    const own = await belongings(made);
    const id = { "x-hyper-appId": made.appId };
    const ask = (one: Operation): Promise<number> => statusOf(made, one, own, id);
    expect(await others([401], of("people", "users", "agents", "viewers", "app"), ask)).toEqual([]);
    const free = of("anybody").filter(({ operation }) => !isLogin(operation));
    // The other operations of the settings need the secret; PUT is not among these.
    expect(await others([200], free, ask)).toEqual([]);
    expect(free.map(({ operation }) => operation.id)).toEqual(
      expect.arrayContaining(["chat.availableAgents", "chat.createUser"]),
    );
  });
});

describe("with a person's own token", () => {
  test.each(["user", "agent"] as const)(
    "a %s may call the operations of that role, and gets 403 for the rest",
    async (kind) => {
      const may: Whom[] = ["anybody", "people", kind === "user" ? "users" : "agents"];
      const mayNot: Whom[] = ["app", kind === "user" ? "agents" : "users"];
      if (kind === "agent") may.push("viewers");
      else mayNot.push("viewers");
      const made = await service(null);
      const asked = async (operation: Operation): Promise<number> => {
        // Created again for each call, because some close the chat or sign out.
        const own = await belongings(made);
        const [me, token] =
          kind === "user" ? [own.user, own.userToken] : [own.agent, own.agentToken];
        const headers = { "x-hyper-appId": made.appId, "x-hyper-token": token };
        return statusOf(made, operation, own, headers, { me });
      };
      // 409 means that the chat's phase does not allow it, which is reported only to permitted
      // callers.
      expect(
        await others(
          [200, 409],
          of(...may).filter((row) => !isLogin(row.operation)),
          asked,
        ),
      ).toEqual([]);
      expect(await others([403], of(...mayNot), asked)).toEqual([]);
    },
  );

  test("no token acts in the name or in the chat of another person", async () => {
    const made = await service(null);
    const [ana, eve] = [await belongings(made), await belongings(made)];
    const headers = { "x-hyper-appId": made.appId, "x-hyper-token": eve.userToken };
    const people = of("people", "users").filter(
      ({ operation }) => !["chat.chats", "chat.events"].includes(operation.id),
    );
    const ask = (me: string) => (one: Operation) => statusOf(made, one, ana, headers, { me });
    expect(await others([403, 404], people, ask(ana.user))).toEqual([]);
    expect(
      await others(
        [403, 404],
        people.filter(({ operation }) => operation.id !== "chat.activity"),
        ask(eve.user),
      ),
    ).toEqual([]);
    const list = await made.askAs(eve.userToken, "GET", `chats?userId=${ana.user}`);
    expect(list.body.chats).toEqual([]);
    expect((await made.ask("GET", `chats/${ana.chat}`)).body.chat.status).toBe("active");
  });
});

test("a user sees the public fields of an agent, and nothing that is between the agent and the app", async () => {
  const made = await service(null);
  const { user, userToken, agent, chat, agentToken } = await belongings(made);
  const record = {
    nickname: "Sunny",
    contact: "ann@shop.test",
    externalId: "staff-1",
    extraInfo: { a: 1 },
  };
  await made.ask("PUT", `agents/${agent}`, record);
  const hidden = { name: "Sunny", contact: "", externalId: "", extraInfo: {}, chats: [] };
  const seen = await made.askAs(userToken, "GET", `users/${agent}`);
  expect(seen.body.user).toMatchObject({
    id: agent,
    nickname: "Sunny",
    providerId: "afterword",
    ...hidden,
  });
  const inChat = await made.askAs(userToken, "GET", `chats/${chat}/users`);
  expect(inChat.body.users).toMatchObject([{ id: user, name: "Ana", chats: [chat] }, hidden]);
  for (const whole of [
    await made.ask("GET", `users/${agent}`),
    await made.askAs(agentToken, "GET", `users/${agent}`),
  ]) {
    expect(whole.body.user).toMatchObject({ name: "Ann", chats: [chat], ...record });
  }
});

test("a user sees the name of an agent whose nickname was emptied", async () => {
  const made = await service(null);
  const { userToken, agent } = await belongings(made);
  await made.ask("PUT", `agents/${agent}`, { nickname: "Sunny" });
  await made.ask("PUT", `agents/${agent}`, { nickname: " " });
  const seen = await made.askAs(userToken, "GET", `users/${agent}`);
  expect(seen.body.user.name).toBe("Ann");
  const whole = await made.ask("GET", `users/${agent}`);
  expect(whole.body.user).not.toHaveProperty("nickname");
  const created = await made.ask("POST", "agents", { name: "Lee", login: "lee", nickname: "" });
  expect(created.body.agent).not.toHaveProperty("nickname");
});

test("a user cannot replace another user by an external id, and fields sent with it change nothing", async () => {
  const made = await service(null);
  const { userToken, user } = await belongings(made);
  const change = { name: "Eve", externalId: "crm-of-somebody-else" };
  expect((await made.askAs(userToken, "PUT", `users/${user}`, change)).status).toBe(403);
  expect((await made.ask("GET", `users/${user}`)).body.user.name).toBe("Ana");
  expect((await made.askAs(userToken, "PUT", `users/${user}`, { name: "Eve" })).status).toBe(200);
});

test("the app's server may call every operation with the secret", async () => {
  const made = await service(null);
  const headers = { "x-hyper-appId": made.appId, "x-hyper-secret": made.secret };
  const ask = async (operation: Operation): Promise<number> => {
    const own = await belongings(made);
    const agents = ["chat.accept", "chat.reject"].includes(operation.id);
    return statusOf(made, operation, own, headers, { me: agents ? own.agent : own.user });
  };
  const all = of("anybody", "people", "users", "agents", "app").filter(
    ({ operation }) => !isLogin(operation),
  );
  expect(await others([200, 409], all, ask)).toEqual([]);
  expect(await others([403], of("viewers"), ask)).toEqual([]);
});

test("no preflight in any spelling of any operation lets a page send the secret", async () => {
  const { routes } = await service(null);
  const spelled = ["x-hyper-secret", "X-Hyper-Secret", "X-HYPER-SECRET", " x-hyper-secret ", "*"];
  const found: string[] = [];
  for (const { operation } of rows) {
    for (const path of [operation.path, `${operation.path}/`]) {
      for (const name of spelled) {
        const answer = await routes.request(path.replace("{id}", "x"), {
          method: "OPTIONS",
          headers: {
            origin: "https://shop.test",
            "access-control-request-method": operation.method,
            "access-control-request-headers": `x-hyper-appid,${name},x-hyper-token`,
          },
        });
        const allowed = (answer.headers.get("access-control-allow-headers") ?? "").toLowerCase();
        if (!allowed.includes("x-hyper-appid")) found.push(`${path}: is not answered`);
        if (/secret|\*/.test(allowed)) found.push(`${path}: ${allowed}`);
        if (answer.headers.has("access-control-allow-credentials")) found.push(`${path}: cookies`);
      }
    }
  }
  expect(found).toEqual([]);
});

/** A login answers a wrong password with 401 too. */
function isLogin({ id }: Operation): boolean {
  return id === "chat.loginAgent";
}

async function digestIn({ options, appId }: Service): Promise<string> {
  const apps = options.database.kysely.selectFrom("chat_apps").select("secret");
  return (await apps.where("id", "=", appId).executeTakeFirstOrThrow()).secret;
}
