import { createServer, connect as connectTo, type Socket } from "node:net";
import { once } from "node:events";
import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { logIn, openDesk } from "./desk-house.ts";
import { useDesk } from "./use-desk.ts";

const site = useDesk();

const LOST = "The connection is lost. Trying again…";
const BACK = "The connection is back.";

/**
 * A proxy in front of the house that can fall silent: connections stay open, but no data passes.
 */
async function openSilentWay(to: string) {
  const { hostname, port } = new URL(to);
  const sockets = new Set<Socket>();
  let isSilent = false;
  const server = createServer((near) => {
    const far = connectTo(Number(port), hostname);
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("data", (bytes) => into.write(bytes));
      from.on("error", () => into.destroy());
      from.on("close", () => {
        sockets.delete(from);
        into.destroy();
      });
      if (isSilent) from.pause();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    silence(next: boolean) {
      isSilent = next;
      for (const socket of sockets) {
        if (next) socket.pause();
        else socket.resume();
      }
    },
  };
}

/** A chat that the agent at this page is in. */
async function enterChat(page: Page) {
  const guest = await site.house.guest({ name: "Ana" });
  await guest.assign();
  await page.getByRole("button", { name: "Accept: Ana" }).click();
  await page.locator("#message").waitFor();
  const readSaid = async (): Promise<readonly string[]> => {
    const { messages } = await site.house.ask("GET", `chats/${guest.chat}/messages`);
    return messages.map((one: { message: string }) => one.message);
  };
  return { guest, readSaid };
}

it("a silent network is noticed within seconds, and messages written then are sent once it is back", async () => {
  const way = await openSilentWay(site.house.url);
  const { page, context } = await openDesk(site.browser, `${way.url}/desk`);
  onTestFinished(() => context.close());
  await logIn(page);
  const { guest, readSaid } = await enterChat(page);
  way.silence(true);
  await page.locator("#message").fill("into the silence");
  await page.locator("#message").press("Enter");
  await page.getByText(LOST).waitFor({ timeout: 15_000 });
  await page.locator("#message").fill("a draft");
  await guest.say("meanwhile");
  way.silence(false);
  await page.getByText(BACK).waitFor();
  await page.locator(".log").getByText("meanwhile").waitFor();
  await page.getByText("Connected").waitFor();
  await expect.poll(readSaid).toEqual(expect.arrayContaining(["meanwhile", "into the silence"]));
  expect(await readSaid()).toHaveLength(2);
  await expect.poll(() => page.locator(".log .said .text").count()).toBe(2);
  expect(await page.locator("#message").inputValue()).toBe("a draft");
});

it("an offline browser is reported at once, also in an open chat on a phone, and so is its return", async () => {
  const { page, context } = await site.visit({ viewport: { width: 390, height: 844 } });
  await page.getByLabel("Login", { exact: true }).fill("demo-agent");
  await page.getByLabel("Password").fill("demo-agent");
  await page.getByRole("button", { name: "Log in" }).click();
  await page.locator(".link.live").waitFor({ state: "attached" });
  const { readSaid } = await enterChat(page);
  await context.setOffline(true);
  await page.getByText(LOST).waitFor({ timeout: 3_000 });
  await page.locator("#message").fill("later");
  await page.locator("#message").press("Enter");
  await page.locator(".log").getByText("It is sent as soon as the connection is back.").waitFor();
  await context.setOffline(false);
  await page.getByText(BACK).waitFor();
  await page.locator(".link.live").waitFor({ state: "attached" });
  await expect.poll(readSaid).toEqual(["later"]);
  await expect.poll(() => page.locator(".log").getByText("Not sent.").count()).toBe(0);
});

it("keeps who joined, left and closed while the lists were read, which are older then", async () => {
  const { page, complaints } = await site.visit();
  const { house } = site;
  const left = await house.guest({ name: "Left" });
  const ended = await house.guest({ name: "Ended" });
  for (const { chat } of [left, ended])
    await house.ask("POST", `chats/${chat}/join`, { userId: "demo-agent" });
  let answered = 0;
  page.on("response", (response) => {
    if (/\/agents\/demo-agent$|chats\?status/.test(response.url())) answered++;
  });
  const released = Promise.withResolvers<void>();
  await page.route("**/canned-answers", async (route) => {
    await released.promise;
    await route.continue();
  });
  await logIn(page);
  // The agent and both lists of chats are read, and the desk waits for the rest.
  await expect.poll(() => answered).toBe(3);
  const joined = await house.guest({ name: "Joined" });
  await house.ask("POST", `chats/${joined.chat}/join`, { userId: "demo-agent" });
  await house.ask("PUT", `chats/${left.chat}/leave`, { userId: "demo-agent" });
  await house.ask("DELETE", `chats/${ended.chat}`, { userId: "demo-agent" });
  await page.locator("a.row", { hasText: "Joined" }).waitFor();
  released.resolve();
  const mine = page.getByRole("region", { name: "My chats" }).locator("a.row");
  const waiting = page.getByRole("region", { name: "Waiting" });
  await waiting.getByText("Left").waitFor();
  await expect.poll(() => mine.allInnerTexts()).toEqual([expect.stringContaining("Joined")]);
  expect(await page.getByText("Ended").count()).toBe(0);
  expect(complaints).toEqual([]);
});

it("keeps that the agent left a chat that is still being read", async () => {
  const { page } = await site.visit();
  const { house } = site;
  await logIn(page);
  await page.getByText("Nobody is waiting.").waitFor();
  const guest = await house.guest({ name: "Ana" });
  await page.getByRole("region", { name: "Waiting" }).getByText("Ana").waitFor();
  const held: (() => Promise<void>)[] = [];
  await page.route(`**/chats/${guest.chat}`, (route) => void held.push(() => route.fallback()));
  await house.ask("POST", `chats/${guest.chat}/join`, { userId: "demo-agent" });
  await expect.poll(() => held.length).toBe(1);
  const mine = page.getByRole("region", { name: "My chats" }).locator("a.row");
  await mine.waitFor();
  await house.ask("PUT", `chats/${guest.chat}/leave`, { userId: "demo-agent" });
  await mine.waitFor({ state: "detached" });
  await held[0]?.();
  await expect.poll(() => held.length).toBe(2);
  expect(await mine.count()).toBe(0);
});
