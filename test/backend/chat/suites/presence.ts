import { describe, expect, onTestFinished, test } from "vitest";
import { doChatChores } from "../../../../src/backend/chat/chores.ts";
import { createChatRoutes } from "../../../../src/backend/chat/routes.ts";
import { openDatabase } from "../../../../src/backend/storage/open-database.ts";
import type { Json } from "../../client.ts";
import { service } from "../service.ts";
import type { Service } from "../service.ts";

/** Tests when an agent counts as present, on any store. */
export function presence(title: string, address: () => Promise<string | null>): void {
  describe(`an agent over ${title}`, () => {
    const login = { login: "sam", password: "a long password" };

    interface SignedIn extends Service {
      readonly sam: string;
      readonly token: string;
      /** Opens an event stream, and returns the function that ends it. */
      readonly listen: (routes?: Service["routes"]) => Promise<() => void>;
      readonly isOnline: () => Promise<boolean>;
      /** Advances the clock, and runs the due work. */
      readonly later: (seconds: number) => Promise<void>;
    }

    async function signedIn(heartbeat: number, given?: string | null): Promise<SignedIn> {
      const where = given === undefined ? await address() : given;
      const made = await service(where, { streams: { heartbeat, agentLife: 3_600_000 } });
      const sam = await made.agent(login);
      const { body } = await made.ask("POST", "agents/login", login);
      const { token } = body.session;
      const open: AbortController[] = [];
      onTestFinished(() => open.forEach((one) => one.abort()));
      return {
        ...made,
        sam,
        token,
        async listen(routes = made.routes) {
          const stop = new AbortController();
          open.push(stop);
          const headers = { "x-hyper-appId": made.appId, "x-hyper-token": token };
          const init = { headers, signal: stop.signal };
          const response = await routes.request(new Request("http://chat.test/v1/events", init));
          expect(response.status).toBe(200);
          void response.body?.pipeTo(new WritableStream()).catch(() => undefined);
          return () => stop.abort();
        },
        async isOnline() {
          const { agent } = (await made.ask("GET", `agents/${sam}`)).body;
          const available = await made.ask("GET", "agents/available?roomIds=1");
          expect(available.body.agents["1"]).toBe(agent.online ? 1 : 0);
          return agent.online;
        },
        async later(seconds) {
          made.time.advance(seconds);
          await made.chores();
        },
      };
    }

    /** The end of a stream is recorded in a moment. */
    const ended = async ({ options, sam, time }: SignedIn): Promise<void> => {
      const until = async (): Promise<number | null> => {
        const agents = options.database.kysely.selectFrom("chat_agents").where("id", "=", sam);
        return (await agents.select("present_until").executeTakeFirstOrThrow()).present_until;
      };
      await expect.poll(until).toBe(time.now() + 45_000);
    };

    test("is present while a stream is open and for 45 seconds after it, and then gets no new chats", async () => {
      const made = await signedIn(20);
      const { ask, chat, sam, listen, isOnline, later } = made;
      const stop = await listen();
      for (let n = 0; n < 3; n++) {
        made.time.advance(40);
        await ended(made);
        await made.chores();
        expect(await isOnline()).toBe(true);
      }
      made.time.advance(1);
      stop();
      await ended(made);
      await later(44);
      const { id } = await chat();
      expect((await ask("GET", `chats/${id}/assign`)).body.agent).toMatchObject({ id: sam });
      await later(1.5);
      expect(await isOnline()).toBe(false);
      // The invitation is not left to an agent who is gone.
      const { history } = (await ask("GET", `chats/${id}/history`)).body;
      const lapsed = history.find(({ trigger }: Json) => trigger === "invitations:reject");
      expect(lapsed.data).toEqual({ chatId: id, userId: sam, reason: "offline" });
      expect((await ask("GET", `chats/${id}/assign`)).body.agent).toBeNull();
      const named = await ask("POST", "invitations", { chatId: id, userId: sam });
      expect(named.body.error).toMatchObject({
        code: 409,
        message: expect.stringContaining("is offline"),
      });
      // An agent who returns continues with the same chats.
      await listen();
      expect(await isOnline()).toBe(true);
      expect((await ask("GET", `chats/${id}/assign`)).body.agent).toMatchObject({ id: sam });
    });

    test("who is away for 45 seconds loses the chats, and may take them again on return", async () => {
      const made = await signedIn(20);
      const { ask, askAs, agent, chat, sam, token, listen, later } = made;
      const stop = await listen();
      const alone = await chat();
      await ask("POST", `chats/${alone.id}/join`, { userId: sam });
      const shared = await chat();
      await ask("POST", `chats/${shared.id}/join`, { userId: sam });
      const kim = await agent({ online: false });
      await ask("POST", `chats/${shared.id}/join`, { userId: kim });
      stop();
      await ended(made);
      await later(44);
      expect((await ask("GET", `chats/${alone.id}`)).body.chat.agent).toBe(sam);
      await later(1.5);
      expect((await ask("GET", `chats/${alone.id}`)).body.chat.agent).toBeNull();
      expect((await ask("GET", `chats/${shared.id}`)).body.chat.agent).toBe(kim);
      const { history } = (await ask("GET", `chats/${alone.id}/history`)).body;
      expect(history.map(({ trigger }: Json) => trigger)).toContain("chats:leave");
      // No other agent was in it, so it is open to all again.
      await listen();
      expect((await askAs(token, "POST", `chats/${alone.id}/join`, { userId: sam })).status).toBe(
        200,
      );
    });

    test("who logs out has 45 seconds to return before the chats go to a present agent", async () => {
      const made = await signedIn(20);
      const { ask, askAs, agent, chat, sam, token, listen, later } = made;
      await listen();
      const { id } = await chat();
      await ask("POST", `chats/${id}/join`, { userId: sam });
      await askAs(token, "POST", "agents/logout");
      await later(44);
      expect((await ask("GET", `agents/${sam}`)).body.agent.online).toBe(false);
      const { session } = (await ask("POST", "agents/login", login)).body;
      await later(44);
      expect((await ask("GET", `agents/${sam}`)).body.agent.online).toBe(true);
      expect((await ask("GET", `chats/${id}`)).body.chat.agent).toBe(sam);
      const kim = await agent();
      await askAs(session.token, "POST", "agents/logout");
      await later(46);
      expect((await ask("GET", `chats/${id}`)).body.chat.agent).toBeNull();
      const { history } = (await ask("GET", `chats/${id}/history`)).body;
      const asked = history.findLast(({ trigger }: Json) => trigger === "invitations:new");
      expect(asked.data).toEqual({ chatId: id, userId: kim });
    });

    test("whose login expires keeps the chats by logging in again", async () => {
      const made = await signedIn(20);
      const { ask, chat, sam, isOnline, later } = made;
      await ask("PUT", "settings", { inactivity: 0 });
      const { id } = await chat();
      await ask("POST", `chats/${id}/join`, { userId: sam });
      await later(12 * 3600 + 1);
      expect(await isOnline()).toBe(false);
      await ask("POST", "agents/login", login);
      await later(60);
      expect((await ask("GET", `agents/${sam}`)).body.agent.online).toBe(true);
      expect((await ask("GET", `chats/${id}`)).body.chat.agent).toBe(sam);
    });

    test("who chose to be offline stays offline, whatever streams are open", async () => {
      const made = await signedIn(20);
      await made.listen();
      await made.askAs(made.token, "PUT", `agents/${made.sam}`, { online: false });
      await made.later(30);
      const stop = await made.listen();
      stop();
      await made.later(30);
      expect(await made.isOnline()).toBe(false);
      await made.askAs(made.token, "PUT", `agents/${made.sam}`, { online: true });
      expect(await made.isOnline()).toBe(true);
    });

    test("whom the app's server set online stays online, whatever streams were open", async () => {
      const made = await signedIn(20);
      await made.ask("PUT", `agents/${made.sam}`, { online: true });
      const stop = await made.listen();
      stop();
      await made.later(13 * 3_600);
      expect(await made.isOnline()).toBe(true);
    });

    test("who never opens a stream is present from login to logout", async () => {
      const made = await signedIn(20);
      await made.later(3_600);
      expect(await made.isOnline()).toBe(true);
      await made.askAs(made.token, "POST", "agents/logout");
      expect(await made.isOnline()).toBe(false);
    });

    test("becomes absent in the other processes when the process with the stream is killed", async () => {
      // Heartbeats end, as after SIGKILL.
      const made = await signedIn(3_600_000);
      await made.listen();
      await made.later(44);
      expect(await made.isOnline()).toBe(true);
      await made.later(1.5);
      expect(await made.isOnline()).toBe(false);
    });

    test("is present in every process while any of them has a stream", async () => {
      const where = await address();
      if (where === null) return;
      const made = await signedIn(20, where);
      const database = await openDatabase(where);
      onTestFinished(() => database.close());
      const { feed: _, ...options } = made.options;
      const other = createChatRoutes({ ...options, database });
      const [here, there] = [await made.listen(), await made.listen(other)];
      here();
      for (let n = 0; n < 3; n++) {
        made.time.advance(40);
        await ended(made);
        await doChatChores({ ...options, database });
        expect(await made.isOnline()).toBe(true);
      }
      there();
      // A heartbeat that was under way may record the agent once more after the clock went on.
      await expect
        .poll(async () => {
          await made.later(45.5);
          return made.isOnline();
        })
        .toBe(false);
    });
  });
}
