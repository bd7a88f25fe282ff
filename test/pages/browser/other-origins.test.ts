import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { ROUTES, routeOf } from "../../../src/api/call/routes.ts";
import { OPERATIONS } from "../../../src/gateway/console/operations.ts";
import { ADMIN } from "../../gateway/console/console.ts";
import { freePort } from "../../fixtures/free-port.ts";
import { openBrowser } from "./chromium.ts";
import { serveEmbedded } from "./console/console-page.ts";

/** Every operation of console and desk, as a page of another origin would try it. */
const attacks = [
  ...OPERATIONS.map(({ method, path }) => ({
    method: method.toUpperCase(),
    path: `/_afterword/api/${path.replaceAll(/\{\w+\}/g, "1")}`,
  })),
  ...Object.keys(ROUTES.chat).flatMap((name) => {
    const { method, path } = routeOf("chat", name);
    return [{ method, path: `/chat${path.replaceAll(/\{\w+\}/g, "1")}` }];
  }),
];

/** Chromium's page for a site that must not be framed. */
const REFUSED = Array<string>(2).fill("chrome-error://chromewebdata/");

interface Tried {
  readonly what: string;
  readonly status: number;
}

it("a page of another port or host cannot call the console or desk, frame them, or open their streams", async () => {
  const server = await serveEmbedded();
  const elsewhere = await serveEmptyPage();
  const browser = await openBrowser();
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const owner = await context.newPage();
  // The owner and an agent are logged in, in the same browser.
  await owner.goto(`${server.url}/_afterword/console#${ADMIN}`);
  await owner.getByRole("heading").first().waitFor();
  const desk = await context.newPage();
  await desk.goto(`${server.url}/desk`);
  await desk.getByRole("textbox").first().waitFor();
  const cookies = await context.cookies();
  expect(cookies).toEqual([]);
  const before = await snapshotOf(server.url);
  for (const origin of [elsewhere, elsewhere.replace("127.0.0.1", "localhost")]) {
    const page = await context.newPage();
    await page.goto(origin);
    const tried = await page.evaluate(tryAll, { target: server.url, attacks });
    const answered = tried.filter(({ status }) => status >= 200 && status < 300);
    expect([origin, answered]).toEqual([origin, []]);
    expect(tried.length).toBeGreaterThan(attacks.length * 2);
    // The first can be framed, which proves that the frame works.
    const frames = [`${origin}/`, `${server.url}/_afterword/console`, `${server.url}/desk`];
    await page.evaluate(frameAll, frames);
    const shown = page.frames().map((frame) => frame.url());
    expect(shown.toSorted()).toEqual([`${origin}/`, `${origin}/`, ...REFUSED].toSorted());
    await page.close();
  }
  expect(await snapshotOf(server.url)).toBe(before);
});

/** The state that an owner and an app's server can read. */
async function snapshotOf(url: string): Promise<string> {
  const owner = { authorization: `Bearer ${ADMIN}` };
  const app = { "x-hyper-appId": "demo-app", "x-hyper-secret": "demo-app-secret" };
  const asked = [
    ...["draft", "history", "reviews"].map((path) => [`/_afterword/api/${path}`, owner] as const),
    ...["users", "chats", "agents", "rooms", "webhooks", "settings"].map(
      (path) => [`/chat/v1/${path}`, app] as const,
    ),
  ];
  const answers = await Promise.all(
    asked.map(async ([path, headers]) => (await fetch(url + path, { headers })).text()),
  );
  return answers.join("\n");
}

/** Another site, which accepts any request. */
async function serveEmptyPage(): Promise<string> {
  const other = createServer((_, reply) => {
    reply.setHeader("content-type", "text/html").end("<!doctype html><title>Elsewhere</title>");
  });
  const port = await freePort();
  await new Promise<void>((resolve) => other.listen(port, resolve));
  onTestFinished(() => void other.close());
  return `http://127.0.0.1:${port}`;
}

/** Runs in the other site's page. Returns the answers that the page could read. */
async function tryAll({
  target,
  attacks: all,
}: {
  target: string;
  attacks: readonly { method: string; path: string }[];
}): Promise<Tried[]> {
  const tried: Tried[] = [];
  const ask = async (what: string, url: string, init: RequestInit): Promise<void> => {
    try {
      const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(10_000) });
      tried.push({ what, status: answer.status });
      await answer.body?.cancel();
    } catch {
      tried.push({ what, status: 0 });
    }
  };
  const body = '{"instance":"shop","text":"x","name":"Eve"}';
  const tryOne = async (method: string, path: string, sink: string): Promise<void> => {
    const url = target + path;
    const what = `${method} ${path}`;
    const sent = method === "GET" || method === "HEAD" ? {} : { body };
    await ask(`${what}, cookies`, url, { method, ...sent, credentials: "include" });
    await ask(`${what}, plain text`, url, {
      method,
      ...sent,
      headers: { "content-type": "text/plain" },
    });
    if (method === "GET") return;
    await ask(`${what}, blind`, url, { method: "POST", body, mode: "no-cors" });
    const form = Object.assign(document.createElement("form"), {
      ...{ action: url, method: "post", enctype: "text/plain", target: sink },
    });
    form.append(Object.assign(document.createElement("input"), { name: body, value: "" }));
    const frame = Object.assign(document.createElement("iframe"), { name: sink });
    document.body.append(frame, form);
    const loaded = new Promise((resolve) => {
      frame.addEventListener("load", resolve);
      setTimeout(resolve, 2000);
    });
    form.submit();
    await loaded;
    form.remove();
    frame.remove();
  };
  await Promise.all(all.map(({ method, path }, at) => tryOne(method, path, `sink-${at}`)));
  for (const path of ["/chat/v1/events", "/_afterword/conversations/1/events"]) {
    const source = new EventSource(target + path, { withCredentials: true });
    const status = await new Promise<number>((resolve) => {
      source.addEventListener("open", () => resolve(200));
      source.addEventListener("error", () => resolve(0));
    });
    source.close();
    tried.push({ what: `EventSource ${path}`, status });
    // Anyone may connect: the first message identifies the client.
    const socket = new WebSocket(target.replace("http", "ws") + path);
    const code = await new Promise<number>((resolve) => {
      socket.addEventListener("open", () =>
        socket.send('{"type":"hello","appId":"demo-app","token":"x"}'),
      );
      socket.addEventListener("message", () => resolve(200));
      socket.addEventListener("close", () => resolve(0));
    });
    tried.push({ what: `WebSocket ${path}`, status: code });
  }
  return tried;
}

/** Runs in the other site's page. */
async function frameAll(addresses: readonly string[]): Promise<void> {
  const frames = addresses.map((src) => Object.assign(document.createElement("iframe"), { src }));
  const loaded = frames.map(
    (frame) => new Promise((resolve) => frame.addEventListener("load", resolve)),
  );
  document.body.append(...frames);
  await Promise.all(loaded);
}
