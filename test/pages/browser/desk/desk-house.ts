import type { MailConfig } from "../../../../src/config/config.ts";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { openBackend } from "../../../../src/backend/node.ts";
import { createAppListener } from "../../../../src/runtime/node/server/app-listener.ts";
import { freePort } from "../../../fixtures/free-port.ts";
import { watch } from "../chromium.ts";

/** Tests assert on everything they read of an answer. */
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

/** A house with a backend over real sockets, whose agents work at the desk in Chromium. */
export interface House {
  readonly url: string;
  /** Sends one request of the app's server, which has the secret. Throws if it is refused. */
  ask(method: string, path: string, body?: unknown): Promise<Json>;
  /** As `ask`, with a token instead of the secret. */
  askAs(token: string, method: string, path: string, body?: unknown): Promise<Json>;
  /** Sends a case management call as the demo project's owner. Throws if it is refused. */
  askOwner(method: string, path: string, body?: unknown): Promise<Json>;
  /** A user with an open chat who can send messages. */
  guest(about?: object, chat?: object): Promise<Guest>;
  /** Adds a colleague of the demo agent, with the password `a long password`. */
  agent(login: string, about?: object): Promise<string>;
  /**
   * Closes every connection and accepts no new ones, until it is opened again at the same address.
   */
  interrupt(): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
}

export interface Guest {
  readonly id: string;
  readonly chat: string;
  readonly token: string;
  say(text: string): Promise<string>;
  /** Makes the service look for an agent. */
  assign(): Promise<void>;
}

const app = { "x-hyper-appId": "demo-app" };

/**
 * A house whose clock is put forward by `ahead()` milliseconds. It runs at a quarter of the speed,
 * because invitations and absences end after seconds, and a click may take some on a busy machine.
 */
export async function openHouse(
  ahead: () => number = (): number => 0,
  mail: MailConfig | null = null,
): Promise<House> {
  const began = Date.now();
  const backend = await openBackend({
    content: "config/backend",
    database: null,
    signingKeys: [new Uint8Array(32).fill(7)],
    demo: true,
    passwordRounds: 10,
    mail,
    now: () => Math.floor(began + (Date.now() - began) / 4) + ahead(),
  });
  const failed = (error: unknown): void => console.error(error);
  let listener = createAppListener(backend.app, { onError: failed });
  // Its port must still be free when it opens again.
  const port = await freePort();
  await listener.listen(port, "127.0.0.1");
  const url = `http://127.0.0.1:${port}`;
  const send = async (
    headers: object,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Json> => {
    const response = await fetch(`${url}/v1/${path}`, {
      method,
      headers: { ...app, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer: Json = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const ask: House["ask"] = (...asked) => send({ "x-hyper-secret": "demo-app-secret" }, ...asked);
  return {
    url,
    ask,
    askAs: (token, ...asked) => send({ "x-hyper-token": token }, ...asked),
    async askOwner(method, path, body) {
      const key = { "x-inbenta-key": "demo-key" };
      const secret = JSON.stringify({ secret: "demo-secret" });
      const login = await fetch(`${url}/v1/auth`, { method: "POST", headers: key, body: secret });
      const { accessToken }: Json = await login.json();
      const headers = { ...key, authorization: `Bearer ${accessToken}` };
      const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
      const answer = await fetch(`${url}/ticketing/v1/${path}`, init);
      const value: Json = await answer.json();
      if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`);
      return value;
    },
    async guest(about = {}, more = {}) {
      const { user, session } = await ask("POST", "users", { name: "Ana", ...about });
      const { chat } = await ask("POST", "chats", { room: "1", creator: user.id, ...more });
      return {
        id: user.id,
        chat: chat.id,
        token: session.token,
        async say(text) {
          const body = { sender: user.id, message: text };
          return (await ask("POST", `chats/${chat.id}/messages`, body)).message.id;
        },
        async assign() {
          await ask("GET", `chats/${chat.id}/assign`);
        },
      };
    },
    async agent(login, about = {}) {
      const body = { name: login, login, password: "a long password", rooms: ["1"], ...about };
      return (await ask("POST", "agents", body)).agent.id;
    },
    async interrupt() {
      await listener.drain(0);
    },
    async resume() {
      listener = createAppListener(backend.app, { onError: failed });
      await listener.listen(port, "127.0.0.1");
    },
    async close() {
      await listener.drain(0);
      await backend.close();
    },
  };
}

/** An agent's desk in a browser window of its own. */
export interface AtDesk {
  readonly page: Page;
  readonly context: BrowserContext;
  /** The page's complaints so far. */
  readonly complaints: readonly string[];
}

/** Opens the desk; nobody is logged in. */
export async function openDesk(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<AtDesk> {
  const context = await browser.newContext({
    viewport: { width: 1400, height: 850 },
    locale: "en-US",
    ...options,
  });
  const page = await context.newPage();
  const complaints = await watch(page, new URL(address).origin);
  await page.goto(address);
  return { page, context, complaints };
}

/** Logs the demo agent in, or another one, in a desk that speaks English. */
export async function logIn(
  page: Page,
  login = "demo-agent",
  password: string = login,
): Promise<void> {
  await page.getByLabel("Login", { exact: true }).fill(login);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByText("Connected").waitFor();
}
