import { describe, expect, test } from "vitest";
import { createChatRoutes } from "../../../../src/backend/chat/routes.ts";
import { chatOptionsOf } from "../../../../src/cli/backend/chat-access.ts";
import type { Json } from "../../../backend/client.ts";
import { afterword } from "../../terminal.ts";
import type { Said } from "../../terminal.ts";
import { inDatabase, shown } from "../place.ts";

type Ask = (
  method: string,
  path: string,
  body?: object,
  headers?: Record<string, string>,
) => Promise<{ status: number; body: Json }>;

/** An app of the command line, and its chat. */
export interface MadeApp {
  readonly appId: string;
  readonly secret: string;
  /** `backend …` at its database. */
  run(...args: readonly string[]): Promise<Said>;
  /** Asks the chat, as a backend at the same database does, with the app's secret. */
  asking<T>(work: (ask: Ask) => Promise<T>): Promise<T>;
}

export async function madeApp(database: string, name = "Shop"): Promise<MadeApp> {
  const run: MadeApp["run"] = (...args) => afterword(["backend", ...args, "--database", database]);
  const added = await run("app", "add", name);
  expect(added).toMatchObject({ code: 0, error: expect.stringMatching(/shown only once/) });
  const [appId, secret] = [shown("App ID", added.out), shown("secret", added.out)];
  return {
    appId,
    secret,
    run,
    asking: (work) =>
      inDatabase(database, async (handle) => {
        const chat = createChatRoutes({
          ...chatOptionsOf(handle),
          bodyLimit: 10_485_760,
          hooks: null,
        });
        return work(async (method, path, body, headers = { "x-hyper-secret": secret }) => {
          const answer = await chat.request(`/v1/${path}`, {
            method,
            headers: { "x-hyper-appId": appId, ...headers },
            ...(body !== undefined && { body: JSON.stringify(body) }),
          });
          return { status: answer.status, body: await answer.json() };
        });
      }),
  };
}

const oneLine = /^[^\n]+\n$/;

/** The commands for apps, agents and rooms over one kind of database. */
export function chatAccessCommands(kind: string, newDatabase: () => Promise<string>): void {
  describe(`apps, agents and rooms in ${kind}`, () => {
    test("what add shows opens the chat, from the first question to an agent who answers", async () => {
      const { run, asking } = await madeApp(await newDatabase());
      const room = await run("room", "add", "1", "--name", "Help");
      expect(room).toStrictEqual({ code: 0, out: "added room 1 (Help) of Shop\n", error: "" });
      const sam = await run(
        ...["agent", "add", "Sam@Shop.example", "--name", "Sam Doe", "--nickname", "Sam"],
        ...["--room", "1", "--language", "en", "--slots", "2", "--no-edit"],
      );
      expect(sam).toMatchObject({ code: 0, error: expect.stringMatching(/shown only once/) });
      await asking(async (ask) => {
        expect((await ask("GET", "agents/available?roomIds=1", undefined, {})).body).toEqual({
          agents: { 1: 0 },
        });
        const login = { login: "sam@shop.example", password: shown("password", sam.out) };
        const { body } = await ask("POST", "agents/login", login, {});
        expect(body.agent).toMatchObject({
          id: shown("agent", sam.out),
          name: "Sam Doe",
          nickname: "Sam",
          rooms: ["1"],
          languages: ["en"],
          slots: 2,
          rights: { CHAT_EDIT_USER_INFO: false },
        });
        const user = await ask("POST", "users", { name: "Ana" }, {});
        const made = await ask("POST", "chats", { room: 1, creator: user.body.user.id });
        const found = await ask("GET", `chats/${made.body.chat.id}/assign`);
        expect(found.body.agent.id).toBe(body.agent.id);
      });
      const listed = await run("agent", "list");
      expect(listed.out).toMatch(/^sam@shop.example +Sam Doe +1 +en +1 of 2 +yes$/m);
      expect((await run("room", "list")).out).toMatch(/^1 +Help +most-free-slots +1 +1$/m);
    });

    test("an app is tied to a project, whose tickets its agents with --tickets read", async () => {
      const { run, appId, asking } = await madeApp(await newDatabase());
      const tied = `tied Shop (${appId}) to`;
      expect(await run("app", "tie", "Shop", "mian")).toStrictEqual({
        code: 0,
        out: `${tied} mian\n`,
        error: "mian has neither a key nor a ticket here. Is it right?\n",
      });
      await run("key", "add", "web");
      expect(await run("app", "tie", appId, "main")).toMatchObject({ code: 0, error: "" });
      expect((await run("app", "list")).out).toMatch(/^Shop +\S+ +main /m);
      const sam = await run("agent", "add", "sam", "--tickets");
      const read = (): Promise<number> =>
        asking(async (ask) => {
          const login = { login: "sam", password: shown("password", sam.out) };
          const { token } = (await ask("POST", "agents/login", login, {})).body.session;
          return (await ask("GET", "tickets", undefined, { "x-hyper-token": token })).status;
        });
      expect(await read()).toBe(200);
      expect((await run("app", "tie", "Shop", "--none")).out).toBe(`${tied} no project\n`);
      expect(await read()).toBe(403);
      const unknown = await run("app", "tie", "Sohp", "main");
      expect(unknown).toMatchObject({ code: 1, error: expect.stringMatching(oneLine) });
    });

    test("lists tell names and dates, and no secret and no password", async () => {
      const { run, secret, appId } = await madeApp(await newDatabase());
      const json = async (...args: string[]): Promise<Json> =>
        JSON.parse((await run(...args, "--format", "json")).out);
      const other = await json("app", "add", "Other");
      expect(other).toEqual({
        name: "Other",
        appId: expect.stringMatching(/^[\w-]{22}$/),
        secret: expect.stringMatching(/^[\w-]{43}$/),
      });
      const room = await json("room", "add", "sales", "--app", "Shop");
      expect(room).toMatchObject({ appId, id: "sales", name: "sales" });
      const agent = await json("agent", "add", "sam", "--app", appId);
      expect(agent).toMatchObject({ appId, login: "sam", online: false, slots: 3 });
      await run("app", "revoke", "Other");
      const today = new Date().toISOString().slice(0, 10);
      const apps = await run("app", "list");
      expect(apps.out).toMatch(new RegExp(`^Shop +${appId} +- +${today} +-$`, "m"));
      expect(apps.out).toMatch(new RegExp(`^Other .* ${today} +${today}$`, "m"));
      expect(await json("app", "list")).toMatchObject([
        { name: "Shop", appId, revoked: null },
        { name: "Other", revoked: expect.stringContaining(today) },
      ]);
      expect(await json("agent", "list")).toMatchObject([{ id: agent.id, login: "sam" }]);
      expect(await json("room", "list")).toEqual([
        { id: "sales", name: "sales", assign: "most-free-slots", agents: 0, online: 0 },
      ]);
      const all = [
        apps,
        await run("agent", "list"),
        await run("agent", "list", "--format", "json"),
      ];
      const text = all.map(({ out }) => out).join("");
      for (const hidden of [secret, other.secret, agent.password, "pbkdf2"]) {
        expect(text).not.toContain(hidden);
      }
    });

    test("a revoked app's secret, id and tokens are refused, and its data stays", async () => {
      const { run, asking, appId } = await madeApp(await newDatabase());
      const { id, token } = await asking(async (ask) => {
        const { body } = await ask("POST", "users", { name: "Ana" });
        return { id: body.user.id, token: body.session.token };
      });
      const revoked = await run("app", "revoke", "Shop");
      expect(revoked).toStrictEqual({ code: 0, out: `revoked Shop (${appId})\n`, error: "" });
      await asking(async (ask) => {
        expect((await ask("GET", "users")).status).toBe(401);
        expect((await ask("GET", "agents/available", undefined, {})).status).toBe(401);
        expect(
          (await ask("GET", `users/${id}`, undefined, { "x-hyper-token": token })).status,
        ).toBe(401);
      });
      for (const app of ["Shop", appId, "nobody"]) {
        const again = await run("app", "revoke", app);
        expect(again).toMatchObject({ code: 1, out: "", error: expect.stringMatching(oneLine) });
      }
      const none = await run("room", "list");
      expect(none).toMatchObject({ code: 1, error: expect.stringMatching(/backend app add NAME/) });
    });

    test("a revoked agent is signed out, and their chats go to the next agent", async () => {
      const { run, asking } = await madeApp(await newDatabase());
      const signIn = async (ask: Ask, login: string): Promise<{ id: string; token: string }> => {
        const { out } = await run("agent", "add", login, "--room", "1", "--format", "json");
        const { body } = await ask("POST", "agents/login", {
          login,
          password: JSON.parse(out).password,
        });
        return { id: body.agent.id, token: body.session.token };
      };
      const { sam, held, asked, closed } = await asking(async (ask) => {
        const sam = await signIn(ask, "sam");
        const open = async (): Promise<string> => {
          const { body } = await ask("POST", "users", { name: "Ana" });
          const made = await ask("POST", "chats", { room: "1", creator: body.user.id });
          await ask("GET", `chats/${made.body.chat.id}/assign`);
          return made.body.chat.id;
        };
        const [held, asked, closed] = [await open(), await open(), await open()];
        for (const chatId of [held, closed]) {
          await ask("POST", "invitations/accept", { chatId, userId: sam.id });
        }
        await ask("DELETE", `chats/${closed}`);
        return { sam, held, asked, closed };
      });
      const bo = await asking((ask) => signIn(ask, "bo"));
      const result = await run("agent", "revoke", "SAM");
      expect(result).toStrictEqual({
        code: 0,
        out: "revoked sam, open chats that were passed on: 1\n",
        error: "",
      });
      await asking(async (ask) => {
        for (const chat of [held, asked]) {
          const { body } = await ask("GET", `chats/${chat}/history`);
          const events = body.history.map((event: Json) => [event.trigger, event.data.userId]);
          expect(events.slice(-2)).toEqual([
            ["chats:assign", bo.id],
            ["invitations:new", bo.id],
          ]);
        }
        const asSam = { "x-hyper-token": sam.token };
        expect((await ask("GET", "chats", undefined, asSam)).status).toBe(401);
        const wrong = { login: "sam", password: "a long password" };
        expect((await ask("POST", "agents/login", wrong)).status).toBe(401);
        expect((await ask("GET", `agents/${sam.id}`)).status).toBe(404);
        const late = { chatId: asked, userId: sam.id };
        expect((await ask("POST", "invitations/accept", late)).status).toBe(404);
        // Readers of the history still see the name.
        expect((await ask("GET", `users/${sam.id}`)).body.user).toMatchObject({
          name: "sam",
          chats: [],
          providerId: "afterword",
        });
        expect((await ask("GET", `chats/${closed}`)).body.chat.status).toBe("closed");
      });
      expect((await run("agent", "list")).out).not.toMatch(/^sam /m);
      expect((await run("agent", "revoke", "sam")).code).toBe(1);
      expect((await run("agent", "add", "sam")).code).toBe(0);
    });

    test("without a next agent a chat waits, and where another agent has it too it stays there", async () => {
      const { run, asking } = await madeApp(await newDatabase());
      await run("room", "add", "1");
      const [alone, shared, bo] = await asking(async (ask) => {
        const agent = async (login: string): Promise<string> => {
          const about = { name: login, login, rooms: ["1"], online: login === "sam" };
          return (await ask("POST", "agents", about)).body.agent.id;
        };
        const [sam, bo] = [await agent("sam"), await agent("bo")];
        const joined = async (...agents: string[]): Promise<string> => {
          const { body } = await ask("POST", "users", { name: "Ana" });
          const made = await ask("POST", "chats", { room: "1", creator: body.user.id });
          for (const userId of agents) {
            await ask("POST", `chats/${made.body.chat.id}/join`, { userId });
          }
          return made.body.chat.id;
        };
        return [await joined(sam), await joined(sam, bo), bo];
      });
      expect((await run("agent", "revoke", "sam")).out).toContain("passed on: 2");
      await asking(async (ask) => {
        const { body } = await ask("GET", `chats/${alone}/history`);
        expect(body.history.at(-1).trigger).toBe("forever:alone");
        expect((await ask("GET", `chats/${alone}`)).body.chat.status).toBe("active");
        expect((await ask("GET", `chats/${shared}`)).body.chat.agent).toBe(bo);
      });
    });

    test("a room with open chats is kept, and one without is removed", async () => {
      const { run, asking } = await madeApp(await newDatabase());
      await run("agent", "add", "sam", "--room", "1", "--room", "2");
      const chat = await asking(async (ask) => {
        const { body } = await ask("POST", "users", { name: "Ana" });
        return (await ask("POST", "chats", { room: 1, creator: body.user.id })).body.chat.id;
      });
      const refused = await run("room", "revoke", "1");
      expect(refused).toMatchObject({
        code: 1,
        out: "",
        error: expect.stringMatching(
          /^afterword backend room revoke: room 1 has 1 open chat[^\n]*\n$/,
        ),
      });
      expect((await run("room", "list")).out).toMatch(/^1 +1 +most-free-slots +1 +0$/m);
      await asking((ask) => ask("DELETE", `chats/${chat}`));
      expect(await run("room", "revoke", "1")).toStrictEqual({
        code: 0,
        out: "revoked room 1\n",
        error: "",
      });
      await asking(async (ask) => {
        const { body } = await ask("POST", "users", { name: "Bo" });
        const late = await ask("POST", "chats", { room: 1, creator: body.user.id });
        expect([late.status, late.body.error.message]).toEqual([422, "room: there is no room 1"]);
        expect((await ask("GET", "agents")).body.agents[0].rooms).toEqual(["2"]);
        expect((await ask("GET", `chats/${chat}`)).body.chat.room).toBe(1);
      });
      expect((await run("room", "revoke", "1")).code).toBe(1);
    });

    test("with several apps each command requires the app, and changes that one alone", async () => {
      const database = await newDatabase();
      const shop = await madeApp(database);
      const other = await madeApp(database, "Other");
      const twin = await madeApp(database, "Other");
      const { run } = shop;
      for (const args of [
        ["room", "list"],
        ["agent", "add", "sam"],
        ["room", "revoke", "1"],
      ]) {
        const result = await run(...args);
        expect(result).toMatchObject({ code: 1, out: "", error: expect.stringMatching(oneLine) });
        expect(result.error).toContain("there are 3 apps: name one with --app");
      }
      expect((await run("room", "list", "--app", "Other")).error).toContain("give the id");
      expect((await run("room", "list", "--app", "no")).error).toContain(
        'no valid app is called "no"',
      );
      await run("room", "add", "1", "--app", "Shop");
      await run("agent", "add", "sam", "--room", "1", "--app", "Shop");
      await run("agent", "add", "sam", "--room", "1", "--app", other.appId);
      expect((await run("agent", "revoke", "sam", "--app", twin.appId)).code).toBe(1);
      expect((await run("agent", "revoke", "sam", "--app", other.appId)).code).toBe(0);
      expect((await run("room", "revoke", "1", "--app", other.appId)).code).toBe(0);
      expect((await run("agent", "list", "--app", "Shop")).out).toMatch(/^sam /m);
      expect((await run("room", "list", "--app", "Shop")).out).toMatch(/^1 /m);
      expect((await run("app", "revoke", "Other")).code).toBe(1);
      await run("app", "revoke", other.appId);
      expect((await twin.asking((ask) => ask("GET", "users"))).status).toBe(200);
    });

    test("a login is unique, and an existing room is changed", async () => {
      const { run } = await madeApp(await newDatabase());
      await run("agent", "add", "sam");
      expect(await run("agent", "add", "SAM")).toStrictEqual({
        code: 2,
        out: "",
        error:
          'afterword backend agent add: there is an agent with the login "SAM" already (afterword backend agent add --help)\n',
      });
      await run("room", "add", "1");
      expect((await run("room", "add", "1", "--name", "Help")).out).toBe(
        "changed room 1 (Help) of Shop\n",
      );
      await run("room", "add", "1", "--assign", "round-robin");
      expect((await run("room", "list")).out).toMatch(/^1 +Help +round-robin /m);
      expect(await run("room", "add", "1", "--assign", "whoever")).toMatchObject({
        code: 2,
        error: expect.stringMatching(/--assign must be among most-free-slots, least-busy, /),
      });
    });
  });
}
