import { readFile } from "node:fs/promises";
import type { BrowserContextOptions, Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { picture } from "../chromium.ts";
import { type AtDesk, type House, logIn } from "./desk-house.ts";
import { useDesk } from "./use-desk.ts";

/** Milliseconds by which the house's clock is put forward. */
let ahead = 0;
beforeEach(() => {
  ahead = 0;
});
const site = useDesk(() => ahead);
const { visit } = site;

/** The demo agent at work. */
async function working(options: BrowserContextOptions = {}): Promise<AtDesk> {
  const desk = await visit(options);
  await logIn(desk.page);
  return desk;
}

/** A chat that the demo agent has accepted at the desk, and that is open there. */
async function chatting(
  page: Page,
  about: object = {},
  chat: object = {},
): ReturnType<House["guest"]> {
  const guest = await site.house.guest(about, chat);
  await guest.assign();
  const accept = page.getByRole("button", { name: /^Accept:/ });
  await accept.click();
  await accept.waitFor({ state: "detached" });
  await message(page).waitFor();
  return guest;
}

const message = (page: Page): ReturnType<Page["locator"]> => page.getByLabel("Your message");
const log = (page: Page): ReturnType<Page["locator"]> => page.getByRole("log");
const rows = (page: Page, section: string): ReturnType<Page["locator"]> =>
  page.getByRole("region", { name: section }).locator("a.row");

async function say(page: Page, text: string): Promise<void> {
  await message(page).fill(text);
  await message(page).press("Enter");
}

/** What the desk has read out from here on: each line goes after ten seconds. */
async function announced(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const said: (string | null)[] = [];
    Object.assign(globalThis, { said });
    const heard = new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const one of addedNodes) said.push(one.textContent);
    });
    for (const region of document.querySelectorAll("#announced, #urgent"))
      heard.observe(region, { childList: true });
  });
  return () => page.evaluate("globalThis.said");
}

describe("logging in at the desk", () => {
  it("takes the demo app from the page, puts the agent online, and complains about nothing", async () => {
    const { page, complaints } = await visit();
    await expect.poll(() => page.getByLabel("App ID").inputValue()).toBe("demo-app");
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("login-login");
    await picture(page, "desk-login");
    await logIn(page);
    const { agent } = await site.house.ask("GET", "agents/demo-agent");
    expect(agent.online).toBe(true);
    await page.getByText("You aren’t in any chats.").waitFor();
    await page.getByText("Nobody is waiting.").waitFor();
    expect(complaints).toEqual([]);
  });

  it("says in words that the password is wrong, the app unknown, and the login locked", async () => {
    const { page } = await visit();
    const problem = page.locator("#login-problem");
    const tryWith = async (app: string, password: string): Promise<void> => {
      await page.getByLabel("App ID").fill(app);
      await page.getByLabel("Login", { exact: true }).fill("demo-agent");
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Log in" }).click();
    };
    await tryWith("demo-app", "wrong");
    await problem.getByText("The login or the password is wrong.").waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("login-password");
    await tryWith("nobody", "wrong");
    await problem.getByText("There is no app with this ID here.").waitFor();
    for (let wrong = 0; wrong < 10; wrong++) {
      const body = { login: "demo-agent", password: "wrong" };
      await site.house.ask("POST", "agents/login", body).catch(() => undefined);
    }
    await tryWith("demo-app", "demo-agent");
    await problem.getByText("Too many wrong passwords.").waitFor();
    await site.house.interrupt();
    await tryWith("demo-app", "demo-agent");
    await problem.getByText("The service can’t be reached.").waitFor();
    await site.house.resume();
    ahead = 61_000;
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByText("Connected").waitFor();
  });

  it("keeps the token in this tab alone, and in no address", async () => {
    const { page, context } = await visit();
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    await logIn(page);
    const guest = await chatting(page);
    await guest.say("Hello");
    await log(page).getByText("Hello").waitFor();
    const kept = await page.evaluate(() => ({
      session: JSON.stringify(Object.entries(sessionStorage)),
      local: Object.keys(localStorage),
    }));
    const token = /\\"token\\":\\"([^\\"]+)/.exec(kept.session)?.[1] ?? "";
    expect(token.length).toBeGreaterThan(20);
    expect([kept.local, await context.cookies()]).toEqual([["desk-alerts"], []]);
    expect(
      addresses.filter((url) => url.includes(token) || /demo-agent.*password/.test(url)),
    ).toEqual([]);
    expect(addresses.some((url) => url.endsWith("/v1/events"))).toBe(true);
  });

  it("ends with the log-out: the token is dead, the agent offline, and nothing is left in the tab", async () => {
    const { page, complaints } = await working();
    await chatting(page, { name: "Ana" });
    await message(page).fill("a draft");
    const token = await page.evaluate(
      () => JSON.parse(sessionStorage.getItem("desk-session") ?? "{}").token,
    );
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByRole("button", { name: "Log out anyway" }).click();
    await page.getByLabel("Password").waitFor();
    // The title follows what is shown.
    await expect
      .poll(() => page.evaluate(() => [sessionStorage.length, document.title]))
      .toEqual([0, "Desk"]);
    await expect
      .poll(async () => (await site.house.ask("GET", "agents/demo-agent")).agent.online)
      .toBe(false);
    await expect(site.house.askAs(token, "GET", "chats")).rejects.toThrow("401");
    await expect.poll(() => page.getByText("Ana").count()).toBe(0);
    await page.reload();
    await page.getByLabel("Password").waitFor();
    expect(
      complaints.filter(
        (one) => !/ERR_ABORTED|failed: .*\/(?:events|messages\/|users\/|chats\/)/.test(one),
      ),
    ).toEqual([]);
  });

  it("asks before a log-out with open chats: one may stay, or hand them over first", async () => {
    const { page } = await working();
    const guests = [
      await chatting(page, { name: "Ana" }),
      await chatting(page, { name: "Bob" }),
    ] as const;
    const bea = await site.house.agent("bea", { name: "Bea", online: true, slots: 5 });
    const out = page.getByRole("button", { name: "Log out", exact: true });
    const dialog = page.getByRole("dialog", { name: "Log out" });
    await out.click();
    await dialog.getByText("Open chats: 2").waitFor();
    await picture(page, "desk-logout");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => out.evaluate((one) => one === document.activeElement)).toBe(true);
    // Where the bar has a menu, the button that opened it has the focus again.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator(".chat-head .back").click();
    const more = page.locator(".bar-more");
    await more.click();
    await out.click();
    await dialog.getByRole("button", { name: "Stay" }).click();
    await dialog.waitFor({ state: "detached" });
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.className))
      .toBe("bar-more");
    await page.setViewportSize({ width: 1400, height: 850 });
    // A chat that nobody takes back keeps the agent here.
    const { chat } = guests[1];
    await page.route(`**/${chat}/toinbox`, (route) => route.fulfill({ status: 500, json: {} }));
    await out.click();
    await dialog.getByRole("button", { name: "Hand them over" }).click();
    await page.locator(".problem", { hasText: /\S/ }).first().waitFor();
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => rows(page, "My chats").count()).toBe(1);
    expect((await site.house.ask("GET", "agents/demo-agent")).agent.online).toBe(true);
    await page.unroute(`**/${chat}/toinbox`);
    await out.click();
    await dialog.getByText("Open chats: 1").waitFor();
    await dialog.getByRole("button", { name: "Hand them over" }).click();
    await page.getByLabel("Password").waitFor();
    for (const guest of guests) {
      const found = (await site.house.ask("GET", `chats/${guest.chat}`)).chat;
      expect([found.closed, found.agent, found.invitation?.userId]).toEqual([false, null, bea]);
    }
    // What was asked before does not come back with the next agent.
    await logIn(page);
    expect(await dialog.count()).toBe(0);
  });

  it("can be repeated by another agent in the same tab, who sees nothing of the one before", async () => {
    await site.house.agent("bea");
    const { page } = await working();
    const guest = await chatting(page, { name: "Ana" });
    await message(page).fill("not for Bea");
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByRole("button", { name: "Log out anyway" }).click();
    await logIn(page, "bea", "a long password");
    await page.goto(`${site.house.url}/desk#chat/${guest.chat}`);
    await page.getByText("Sam answers in this chat.").waitFor();
    await expect.poll(() => page.getByText("not for Bea").count()).toBe(0);
  });
});

describe("invitations", () => {
  it("show who asks; accepting opens the chat with what was said before, and the cursor in the field", async () => {
    const { page, complaints } = await working();
    const history = [
      { sender: "user", message: "Where is <b>my</b> order?", created: 1_763_710_000 },
      { sender: "assistant", message: "<p>I can't find it. A person?</p>", created: 1_763_710_005 },
      { sender: "user", message: "Yes", created: 1_763_710_015 },
    ];
    const guest = await site.house.guest({ name: "Ana García" }, { lang: "es", history });
    await guest.say("Hello?");
    const readOut = await announced(page);
    await guest.assign();
    const card = page.locator(".invitation");
    await card.getByText("You’ve been asked to take this chat.").waitFor();
    await card.getByText(/\b(?:30|[12]?\d) s left/).waitFor();
    await expect.poll(() => page.title()).toBe("(1) Desk");
    await expect.poll(readOut).toEqual(["Invitation: Ana García would like to chat."]);
    await picture(page, "desk-invitation");
    await page.getByRole("button", { name: "Accept: Ana García" }).click();
    await message(page).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("message");
    const lines = log(page).locator(".imported");
    await expect
      .poll(() => lines.locator(".text").allTextContents())
      .toEqual(history.map((line) => line.message));
    await expect
      .poll(() => lines.locator(".who [dir]").allTextContents())
      .toEqual(["Ana García", "Assistant", "Ana García"]);
    await expect
      .poll(() => log(page).locator(".rule").allTextContents())
      .toEqual(["Before this chat", "The chat begins"]);
    await log(page).getByText("Hello?").waitFor();
    await expect
      .poll(() => page.locator(".chat-title p").textContent())
      .toBe("Demo room · Spanish");
    const { chat } = await site.house.ask("GET", `chats/${guest.chat}`);
    expect([chat.status, chat.agent, chat.invitation]).toEqual(["active", "demo-agent", null]);
    expect(complaints).toEqual([]);
  });

  it("go to somebody else when rejected, and away by themselves when time is over", async () => {
    const bea = await site.house.agent("bea", { online: true, slots: 1 });
    const { page } = await working();
    const guest = await site.house.guest({ name: "Ana" });
    await guest.assign();
    await page.getByRole("button", { name: "Reject: Ana" }).click();
    await page.getByText("Somebody is being asked").waitFor();
    expect((await site.house.ask("GET", `chats/${guest.chat}`)).chat.invitation.userId).toBe(bea);
    const other = await site.house.guest({ name: "Bob" });
    await other.assign();
    await page.getByRole("button", { name: "Accept: Bob" }).waitFor();
    ahead = 31_000;
    await page.getByRole("button", { name: "Accept: Bob" }).waitFor({ state: "detached" });
    await rows(page, "Waiting").getByText("Bob").waitFor();
  });

  it("stand there after a reload too", async () => {
    const { page } = await working();
    const guest = await site.house.guest({ name: "Ana" });
    await guest.assign();
    await page.getByRole("button", { name: "Accept: Ana" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Accept: Ana" }).waitFor();
  });
});

describe("the queue", () => {
  it("shows who waits at which place, lets one read before taking, and take", async () => {
    await site.house.ask("PUT", "settings", { queue: { active: true } });
    const { page, complaints } = await working();
    await page.getByRole("combobox", { name: "Status" }).selectOption("Away");
    await expect
      .poll(async () => (await site.house.ask("GET", "agents/demo-agent")).agent.status)
      .toBe("away");
    const first = await site.house.guest({ name: "Ana" });
    await first.say("I am first");
    ahead = 2_000;
    const second = await site.house.guest({ name: "Bob" });
    const waiting = rows(page, "Waiting");
    await waiting.nth(1).waitFor();
    await expect
      .poll(() => waiting.locator(".preview").allTextContents())
      .toEqual(["Place 1 in the queue · Demo room", "Place 2 in the queue · Demo room"]);
    await waiting.getByText("Ana").click();
    await log(page).getByText("I am first").waitFor();
    expect(await message(page).count()).toBe(0);
    expect((await site.house.ask("GET", `chats/${first.chat}/messages`)).messages[0].read).toEqual(
      [],
    );
    await page.getByRole("button", { name: "Take: Bob" }).click();
    await message(page).waitFor();
    expect((await site.house.ask("GET", `chats/${second.chat}`)).chat.agent).toBe("demo-agent");
    await picture(page, "desk-queue");
    expect(complaints).toEqual([]);
  });

  it("shows how many slots are taken, and offers nothing that no slot is free for", async () => {
    await site.house.ask("PUT", "agents/demo-agent", { slots: 1 });
    const { page } = await working();
    await page.getByText("Chats: 0 of 1").waitFor();
    await chatting(page, { name: "Ana" });
    await site.house.agent("bea", { online: true });
    await page.getByText("Chats: 1 of 1").waitFor();
    await site.house.guest({ name: "Bob" });
    const take = page.getByRole("button", { name: "Take: Bob" });
    await take.waitFor();
    await expect.poll(() => take.isEnabled()).toBe(false);
    const reason = page.locator(`#${(await take.getAttribute("aria-describedby")) ?? ""}`);
    expect(await reason.innerText()).toBe(
      "All your slots are taken. Close a chat or hand one over first.",
    );
  });

  it("lets one join a colleague’s chat, whose words look like a colleague’s, with links", async () => {
    const bea = await site.house.agent("bea", { online: true });
    const { page } = await working();
    const guest = await site.house.guest({ name: "Ana" });
    await site.house.ask("POST", `chats/${guest.chat}/join`, { userId: bea });
    const message = "See https://shop.example/a?b=1, or <b>ask</b>.";
    await site.house.ask("POST", `chats/${guest.chat}/messages`, { sender: bea, message });
    await page.goto(`${site.house.url}/desk#chat/${guest.chat}`);
    await page.getByText("bea answers in this chat.").waitFor();
    await page.getByRole("button", { name: "Join" }).click();
    const line = log(page).locator(".said.colleague");
    await line.waitFor();
    expect(await line.locator(".text").textContent()).toBe(message);
    const link = line.getByRole("link");
    expect([await link.getAttribute("href"), await link.getAttribute("rel")]).toEqual([
      "https://shop.example/a?b=1",
      "noopener noreferrer",
    ]);
  });

  it("lists a chat whose agent does not answer among those who wait, and lets one join it", async () => {
    await site.house.ask("PUT", "settings", { inactivity: 60 });
    const bea = await site.house.agent("bea", { online: true });
    const { page, complaints } = await working();
    const guest = await site.house.guest({ name: "Ana" });
    await site.house.ask("POST", `chats/${guest.chat}/join`, { userId: bea });
    await guest.say("Is anybody there?");
    await page.getByText("Nobody is waiting.").waitFor();
    const join = page.getByRole("button", { name: "Join: Ana" });
    expect(await join.count()).toBe(0);
    ahead = 61_000;
    await join.waitFor();
    await expect
      .poll(() => rows(page, "Waiting").locator(".preview").allTextContents())
      .toEqual([expect.stringMatching(/^bea: .+ · Demo room$/u)]);
    await join.click();
    await message(page).waitFor();
    await log(page).getByText("Is anybody there?").waitFor();
    await say(page, "Yes, I am.");
    await page.getByText("Nobody is waiting.").waitFor();
    await expect
      .poll(async () => {
        const { chat } = await site.house.ask("GET", `chats/${guest.chat}`);
        return [chat.agent, chat.unanswered];
      })
      .toEqual([bea, undefined]);
    expect(complaints).toEqual([]);
  });

  it("says what stands against it when somebody else was faster", async () => {
    const bea = await site.house.agent("bea", { online: true });
    const { page } = await working();
    const guest = await site.house.guest({ name: "Ana" });
    const take = page.getByRole("button", { name: "Take: Ana" });
    await take.waitFor();
    await page.route("**/join", async (route) => {
      await site.house.ask("POST", "invitations", { chatId: guest.chat, userId: bea });
      await route.continue();
    });
    await take.click();
    await page.getByText("The chat has changed in the meantime.").waitFor();
    await page.getByRole("button", { name: "Dismiss" }).click();
    await page.getByText("The chat has changed in the meantime.").waitFor({ state: "detached" });
  });
});

describe("a chat", () => {
  it("goes both ways, with signs of writing and marks of reading", async () => {
    const { page, complaints } = await working();
    const guest = await chatting(page, { name: "Ana" });
    await message(page).pressSequentially("Hel");
    const signs = async (): Promise<unknown[]> => {
      const response = await fetch(`${site.house.url}/v1/events`, {
        headers: {
          "x-hyper-appId": "demo-app",
          "x-hyper-token": guest.token,
          "last-event-id": "0",
        },
      });
      let text = "";
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk).toString();
        if (text.includes("\n\n") && /not-writing|messages:new|writing/.test(text)) break;
      }
      return [...text.matchAll(/"type":"((?:not-)?writing)"/g)].map(([, type]) => type);
    };
    await expect.poll(signs).toEqual(["writing"]);
    await message(page).press("Enter");
    await log(page).getByText("Hel", { exact: true }).waitFor();
    await log(page).getByText("Sent", { exact: true }).waitFor();
    const { messages } = await site.house.ask("GET", `chats/${guest.chat}/messages`);
    expect(
      messages.map((one: { sender: string; message: string }) => [one.sender, one.message]),
    ).toEqual([["demo-agent", "Hel"]]);
    await site.house.askAs(guest.token, "PUT", `messages/${messages[0].id}/read`, {});
    await log(page).getByText("Read", { exact: true }).waitFor();
    await site.house.askAs(guest.token, "POST", `users/${guest.id}/activity`, {
      type: "writing",
      chatId: guest.chat,
    });
    await page.locator(".writing").getByText("Ana is writing…").waitFor();
    const answer = await guest.say("lo yourself");
    await log(page).getByText("lo yourself").waitFor();
    await page.locator(".writing").getByText("Ana is writing…").waitFor({ state: "detached" });
    await expect
      .poll(
        async () =>
          (await site.house.ask("GET", `chats/${guest.chat}/messages`)).messages.at(-1).read,
      )
      .toEqual(["demo-agent"]);
    expect(answer).not.toBe("");
    expect(complaints).toEqual([]);
  });

  it("takes lines with Shift and Enter, sends with Enter, and refuses what is empty or too long", async () => {
    const { page } = await working();
    const guest = await chatting(page);
    await message(page).fill("   ");
    await message(page).press("Enter");
    const send = page.getByRole("button", { name: "Send", exact: true });
    await expect.poll(() => send.isDisabled()).toBe(true);
    await message(page).fill("one");
    await message(page).press("Shift+Enter");
    await message(page).pressSequentially("two");
    await message(page).press("Enter");
    await log(page).getByText("one\ntwo").waitFor();
    await message(page).fill("x".repeat(10_001));
    await page.getByText("The message is too long: 10001 of 10000 characters.").waitFor();
    await message(page).press("Enter");
    expect((await message(page).inputValue()).length).toBe(10_001);
    await message(page).fill("x".repeat(10_000));
    await message(page).press("Enter");
    await expect
      .poll(
        async () => (await site.house.ask("GET", `chats/${guest.chat}/messages`)).messages.length,
      )
      .toBe(2);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(wide).toBe(false);
  });

  it("offers canned answers after a slash, in the chat’s language, with names put in", async () => {
    const texts = { en: "Hello {user}, {agent} here.", de: "Guten Tag {user}, hier ist {agent}." };
    const cannedAnswers = [
      { name: "hello", texts },
      { name: "hours", texts: { en: "We are open until six." } },
    ];
    await site.house.ask("PUT", "canned-answers", { cannedAnswers });
    const { page, complaints } = await working();
    await chatting(page, { name: "Ana" }, { lang: "de" });
    const list = page.getByRole("listbox", { name: "Canned answers" });
    await message(page).pressSequentially("either/or /h");
    await expect.poll(() => list.getByRole("option").count()).toBe(2);
    await picture(page, "desk-canned");
    await message(page).press("ArrowDown");
    await expect
      .poll(() => list.getByRole("option", { selected: true }).innerText())
      .toMatch(/hours.*English.*open until six/s);
    await message(page).press("ArrowUp");
    await message(page).press("Enter");
    await expect.poll(() => message(page).inputValue()).toContain("Guten Tag Ana, hier ist ");
    await list.waitFor({ state: "detached" });
    await message(page).press("Enter");
    await log(page).getByText("Guten Tag Ana").waitFor();
    await page.getByRole("button", { name: "Canned answers" }).click();
    await list.waitFor();
    await message(page).press("Escape");
    await list.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Canned answers" }).click();
    await list.getByRole("option", { name: /hours/ }).click();
    await list.waitFor({ state: "detached" });
    await expect.poll(() => message(page).inputValue()).toBe("We are open until six.");
    await message(page).fill("/nobody");
    await message(page).press("Enter");
    await log(page).getByText("/nobody").waitFor();
    expect(complaints).toEqual([]);
  });

  it("sends files, and gets those of the user, byte for byte", async () => {
    const { page, complaints } = await working();
    const guest = await chatting(page, { name: "Ana" });
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    await page
      .locator("#file")
      .setInputFiles([{ name: "plan.png", mimeType: "image/png", buffer: png }]);
    await log(page).getByRole("button", { name: "Download plan.png" }).waitFor();
    const { messages } = await site.house.ask("GET", `chats/${guest.chat}/messages`);
    expect(messages).toMatchObject([
      { type: "media", message: { name: "plan.png", type: "image/png" } },
    ]);
    const shown = log(page).getByRole("img", { name: "plan.png" });
    await shown.waitFor();
    await expect
      .poll(() => shown.evaluate((img) => (img instanceof HTMLImageElement ? img.naturalWidth : 0)))
      .toBe(1);

    const pdf = Buffer.from("%PDF-1.7 naïve");
    await site.house.ask("POST", "media", {
      name: "<b>bill</b> ü.pdf",
      content: pdf.toString("base64"),
      chatId: guest.chat,
      senderId: guest.id,
    });
    const button = log(page).getByRole("button", { name: "Download b> ü.pdf" });
    await button.waitFor();
    const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
    expect((await readFile(await download.path())).equals(pdf)).toBe(true);
    await picture(page, "desk-files");
    expect(complaints).toEqual([]);
  });

  it("sends several files one after the other, shows how far each is, and names what may go", async () => {
    const { page, complaints } = await working();
    const guest = await chatting(page);
    await page.getByText(/^Allowed: jpeg, png, .*docx.*, up to 7 MB each$/).waitFor();
    const attach = page.getByRole("button", { name: "Send a file" });
    await expect.poll(() => attach.getAttribute("aria-describedby")).toBe("file-help");
    const slow = await page.context().newCDPSession(page);
    await slow.send("Network.enable");
    const upload = { offline: false, latency: 0, downloadThroughput: -1 };
    const at = (uploadThroughput: number): Promise<unknown> =>
      slow.send("Network.emulateNetworkConditions", { ...upload, uploadThroughput });
    await at(200_000);
    const buffer = Buffer.concat([Buffer.from("%PDF-1.7 "), Buffer.alloc(600_000)]);
    const files = ["one.pdf", "two.pdf"].map((name) => ({
      name,
      mimeType: "application/pdf",
      buffer,
    }));
    await page.locator("#file").setInputFiles(files);
    const progress = log(page).getByRole("progressbar", { name: "one.pdf" });
    await expect.poll(async () => Number(await progress.getAttribute("value"))).toBeGreaterThan(0);
    await at(-1);
    for (const { name } of files) {
      await log(page)
        .getByRole("button", { name: `Download ${name}` })
        .waitFor();
    }
    await expect.poll(() => log(page).getByRole("progressbar").count()).toBe(0);
    const { messages } = await site.house.ask("GET", `chats/${guest.chat}/messages`);
    expect(messages.map((one: { message: { name: string } }) => one.message.name)).toEqual([
      "one.pdf",
      "two.pdf",
    ]);
    expect(complaints).toEqual([]);
  });

  it("says that the user has left the page, until they are back or write", async () => {
    const { page } = await working();
    const guest = await chatting(page, { name: "Ana" });
    const presence = (type: string): Promise<unknown> =>
      site.house.askAs(guest.token, "POST", `users/${guest.id}/activity`, {
        type,
        chatId: guest.chat,
      });
    const notice = page.locator(".chat > .notice").getByText("Ana has left the page");
    await presence("away");
    await notice.waitFor();
    await log(page).getByText("Ana has left the page").waitFor();
    await page.reload();
    await notice.waitFor();
    await presence("back");
    await notice.waitFor({ state: "detached" });
    await log(page).getByText("Ana is back on the page").waitFor();
    await presence("away");
    await notice.waitFor();
    await guest.say("I am here");
    await notice.waitFor({ state: "detached" });
  });

  it("shows a picture by itself, whole, and stays at the newest line when it has come", async () => {
    const { page } = await working({ viewport: { width: 1280, height: 500 } });
    const guest = await chatting(page, { name: "Ana" });
    const content = (await page.screenshot()).toString("base64");
    const from = { chatId: guest.chat, senderId: guest.id };
    await site.house.ask("POST", "media", { name: "screen.png", content, ...from });
    const shown = log(page).getByRole("img", { name: "screen.png" });
    await shown.waitFor();
    const isAtEnd = (): Promise<boolean> =>
      log(page).evaluate(
        ({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight < 2,
      );
    await expect.poll(async () => (await shown.boundingBox())?.height).toBeGreaterThan(100);
    await expect.poll(isAtEnd).toBe(true);
    const toEnd = page.getByRole("button", { name: "To the newest message" });
    await expect.poll(() => toEnd.count()).toBe(0);
  });

  it("says why a file was not sent, and lets it be discarded", async () => {
    const { page } = await working();
    await chatting(page);
    await page
      .locator("#file")
      .setInputFiles([
        { name: "tool.exe", mimeType: "application/x-msdownload", buffer: Buffer.from("MZ") },
      ]);
    await log(page)
      .getByText(/Not sent\. Files of this type can’t be sent\. Allowed: jpeg, png, .*docx/)
      .waitFor();
    expect(await log(page).getByRole("button", { name: "Send again" }).count()).toBe(0);
    expect(await page.locator("#file").getAttribute("accept")).toContain("image/");
    await log(page).getByRole("button", { name: "Discard" }).click();
    await log(page).getByText("tool.exe").waitFor({ state: "detached" });
    await page
      .locator("#file")
      .setInputFiles([
        { name: "film.mp4", mimeType: "video/mp4", buffer: Buffer.alloc(7_340_033) },
      ]);
    await log(page).getByText("Not sent. The file is larger than 7 MB.").waitFor();
    expect(await log(page).getByRole("button", { name: "Send again" }).count()).toBe(0);
  });

  it("is closed after a question, can still be read, and stands in the closed list", async () => {
    const { page, complaints } = await working();
    const guest = await chatting(page, { name: "Ana" });
    await say(page, "Bye");
    await log(page).getByText("Bye").waitFor();
    const close = page.getByRole("button", { name: "Close chat" });
    await close.click();
    const dialog = page.getByRole("dialog", { name: "Close the chat with Ana?" });
    await dialog.waitFor();
    await picture(page, "desk-close");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe("Close chat");
    expect((await site.house.ask("GET", `chats/${guest.chat}`)).chat.closed).toBe(false);
    await close.click();
    await dialog.getByRole("button", { name: "Close chat" }).click();
    await page.getByText("This chat is closed.").waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("chat-name");
    await log(page).getByText("Sam has closed the chat").waitFor();
    const { history } = await site.house.ask("GET", `chats/${guest.chat}/history`);
    expect(history.at(-1)).toMatchObject({
      trigger: "chats:close",
      data: { userId: "demo-agent" },
    });
    await expect.poll(() => rows(page, "My chats").count()).toBe(0);
    await page.getByRole("button", { name: "Closed", exact: true }).click();
    await rows(page, "Closed").getByText("Ana").waitFor();
    expect(await page.getByLabel("Your message").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("is handed over with the note and the current question in the invitation", async () => {
    const { page } = await working();
    const bea = await site.house.agent("bea");
    const guest = await site.house.guest({ name: "Ana" }, { question: "Do you sell elephants?" });
    await site.house.ask("POST", `chats/${guest.chat}/join`, { userId: bea });
    await guest.say("Where is my parcel?");
    const login = { login: "bea", password: "a long password" };
    const { session } = await site.house.ask("POST", "agents/login", login);
    const note = { text: "Knows French; parcel lost" };
    await site.house.askAs(session.token, "POST", `chats/${guest.chat}/notes`, note);
    const to = { userId: "demo-agent" };
    await site.house.askAs(session.token, "POST", `chats/${guest.chat}/transfer`, to);
    const invitation = page.locator(".invitation");
    await invitation.getByText("Knows French; parcel lost").waitFor();
    await invitation.getByText("Where is my parcel?").waitFor();
    expect(await invitation.getByText("elephants").count()).toBe(0);
  });

  it("stands above others while its user waits, counts in the title, and shows whose words are last", async () => {
    const { page, complaints } = await working();
    const ana = await chatting(page, { name: "Ana" });
    const bo = await chatting(page, { name: "Bo" });
    await bo.say("Do you ship to Fiji?");
    ahead += 5000;
    await ana.say("Where is my parcel?");
    const mine = rows(page, "My chats");
    const order = (): Promise<string[]> => mine.locator("strong").allTextContents();
    await expect.poll(order).toEqual(["Bo", "Ana"]);
    await mine.filter({ hasText: "Ana" }).click();
    await log(page).getByText("Where is my parcel?").waitFor();
    await mine.filter({ hasText: "Bo" }).click();
    await log(page).getByText("Do you ship to Fiji?").waitFor();
    // Both are read, and neither is answered.
    await expect.poll(() => page.title()).toMatch(/^\(2\)/);
    await say(page, "Yes, by sea.");
    await mine.filter({ hasText: "You: Yes, by sea." }).waitFor();
    await expect.poll(order).toEqual(["Ana", "Bo"]);
    await expect.poll(() => page.title()).toMatch(/^\(1\)/);
    expect(await mine.locator('time[title="Waiting"]').count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  it("is found again after a reload, as are the closed chats of the agent's rooms, page by page", async () => {
    const { page, complaints } = await working();
    const guest = await chatting(page, { name: "Ana" });
    await guest.say("Where is my parcel?");
    await site.house.ask("DELETE", `chats/${guest.chat}`, {
      userId: "demo-agent",
      reason: "solved",
    });
    for (let more = 0; more < 31; more++) {
      const other = await site.house.guest({ name: `Guest ${more}` });
      await site.house.ask("DELETE", `chats/${other.chat}`);
    }
    await page.goto(`${site.house.url}/desk`);
    const closed = rows(page, "Closed");
    await page.getByRole("button", { name: "Closed", exact: true }).click();
    await expect.poll(() => closed.count()).toBe(30);
    await closed.first().getByText("Guest 30").waitFor();
    await page
      .getByRole("region", { name: "Closed" })
      .getByRole("button", { name: "More" })
      .click();
    await expect.poll(() => closed.count()).toBe(32);
    await closed.filter({ hasText: "Ana" }).click();
    await log(page).getByText("Where is my parcel?").waitFor();
    expect(await page.getByLabel("Your message").count()).toBe(0);
    expect(await closed.filter({ hasText: "Ana" }).innerText()).toContain("Solved");
    expect(complaints).toEqual([]);
  });

  it("is closed with a reason, and stands among the user's other chats next time", async () => {
    const { page, complaints } = await working();
    const guest = await chatting(page, { name: "Ana" });
    await guest.say("Where is my parcel?");
    await page.getByRole("button", { name: "Close chat" }).click();
    const dialog = page.getByRole("dialog", { name: "Close the chat with Ana?" });
    await dialog.getByLabel("Reason").selectOption("Solved");
    await dialog.getByRole("button", { name: "Close chat" }).click();
    await page.getByText("This chat is closed. Solved").waitFor();
    expect((await site.house.ask("GET", `chats/${guest.chat}`)).chat.closeReason).toBe("solved");
    const { chat } = await site.house.ask("POST", "chats", { room: "1", creator: guest.id });
    await site.house.ask("POST", `chats/${chat.id}/join`, { userId: "demo-agent" });
    await rows(page, "My chats").click();
    const others = page.getByRole("region", { name: "Other chats of this user" });
    await others.getByText("Demo room · Solved").waitFor();
    await picture(page, "desk-others");
    await others.getByRole("link").click();
    await log(page).getByText("Where is my parcel?").waitFor();
    await page.getByText("This chat is closed. Solved").waitFor();
    expect(complaints).toEqual([]);
  });

  it("tells when the user closes it", async () => {
    const { page } = await working();
    const guest = await chatting(page, { name: "Ana" });
    await message(page).fill("half a sentence");
    const readOut = await announced(page);
    await site.house.ask("DELETE", `chats/${guest.chat}`, { userId: guest.id });
    await page.getByText("This chat is closed.").waitFor();
    await log(page).getByText("Ana has closed the chat").waitFor();
    await expect.poll(readOut).toEqual(["The chat with Ana is closed."]);
  });

  it("is left open by leaving it, and given back to whoever comes next", async () => {
    const { page } = await working();
    const guest = await chatting(page, { name: "Ana" });
    await page.getByRole("button", { name: "More" }).click();
    await picture(page, "desk-menu");
    await page.getByRole("button", { name: /^Leave/ }).click();
    await rows(page, "Waiting").getByText("Ana").waitFor();
    expect((await site.house.ask("GET", `chats/${guest.chat}`)).chat).toMatchObject({
      agent: null,
      closed: false,
    });
    await page.getByRole("button", { name: "Take: Ana" }).click();
    await message(page).waitFor();
    const bea = await site.house.agent("bea", { online: true });
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("button", { name: /^Give back/ }).click();
    await page.getByText("Choose a chat").waitFor();
    await expect
      .poll(
        async () => (await site.house.ask("GET", `chats/${guest.chat}`)).chat.invitation?.userId,
      )
      .toBe(bea);
  });

  it("is handed over to a colleague who takes it, and stays with one whose colleague does not", async () => {
    await site.house.agent("bea");
    await site.house.agent("carl", { rooms: [] });
    const { page, complaints } = await working();
    const guest = await chatting(page, { name: "Ana" });
    await say(page, "One moment");
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("button", { name: "Hand over…" }).click();
    await page.getByText("Nobody else is online.").waitFor();
    await page.keyboard.press("Escape");

    const bea = await visit();
    await logIn(bea.page, "bea", "a long password");
    const ask = async (): Promise<void> => {
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("button", { name: "Hand over…" }).click();
      const options = page.getByLabel("Hand over to").locator("option");
      await expect.poll(() => options.allTextContents()).toEqual(["bea (0/3)"]);
      await page.getByRole("button", { name: "Ask", exact: true }).click();
      await page.getByText("bea has been asked to take over.").waitFor();
    };
    await ask();
    await bea.page.getByText("Sam wants to hand this chat over to you.").first().waitFor();
    await bea.page.getByRole("button", { name: "Reject: Ana" }).click();
    const notice = page.getByText("bea didn’t take the chat with Ana.");
    await notice.waitFor();
    // It is no error, and goes with the next thing that is done.
    await expect.poll(() => page.locator(".problem:not(:empty)").count()).toBe(0);
    await say(page, "Still me");
    await log(page).getByText("Still me").waitFor();

    await ask();
    await notice.waitFor({ state: "detached" });
    await bea.page.getByRole("button", { name: "Accept: Ana" }).click();
    await log(bea.page).getByText("Still me").waitFor();
    await page.getByText("bea answers in this chat.").waitFor();
    expect((await site.house.ask("GET", `chats/${guest.chat}`)).chat.agent).not.toBe("demo-agent");
    await say(bea.page, "Hello, Bea here");
    await expect
      .poll(
        async () =>
          (await site.house.ask("GET", `chats/${guest.chat}/messages`)).messages.at(-1).message,
      )
      .toBe("Hello, Bea here");
    expect([...complaints, ...bea.complaints]).toEqual([]);
  });
});

describe("a chat that another room should answer", () => {
  it("is handed over with a note: it leaves at once, and somebody there is asked", async () => {
    await site.house.ask("POST", "rooms", { id: "sales", name: "Sales" });
    await site.house.ask("POST", "rooms", { id: "empty", name: "Nobody here" });
    await site.house.agent("dora", { rooms: ["sales"] });
    const { page, complaints } = await working();
    const guest = await chatting(page, { name: "Ana" });
    const dora = await visit();
    await logIn(dora.page, "dora", "a long password");
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("button", { name: "Hand over…" }).click();
    const to = page.getByLabel("Hand over to");
    await to.waitFor();
    // A room in which nobody is online is not offered: the reader would wait for nobody.
    await expect
      .poll(() => to.locator("option").allTextContents())
      .toEqual(["dora (0/3)", "Sales (1)"]);
    await to.selectOption("Sales (1)");
    await page.getByText("The chat leaves your list at once").waitFor();
    await page.getByLabel("Note for your colleague (optional)").fill("wants the blue one");
    await picture(page, "desk-hand-over-room");
    await page.getByRole("button", { name: "Hand over", exact: true }).click();
    await page.getByText("Choose a chat").waitFor();
    await expect.poll(() => rows(page, "My chats").count()).toBe(0);
    await dora.page.getByRole("button", { name: "Accept: Ana" }).click();
    await dora.page
      .getByRole("region", { name: "Notes" })
      .getByText("wants the blue one")
      .waitFor();
    const { chat } = await site.house.ask("GET", `chats/${guest.chat}`);
    expect(chat.room).toBe("sales");
    const seen = await site.house.askAs(guest.token, "GET", `chats/${guest.chat}/history`);
    expect(JSON.stringify(seen)).not.toContain("blue");
    expect([...complaints, ...dora.complaints]).toEqual([]);
  });
});

describe("several chats at once", () => {
  it("count what is unread, in the list and in the title, and lead to the next", async () => {
    const { page, complaints } = await working();
    const ana = await chatting(page, { name: "Ana" });
    const bob = await chatting(page, { name: "Bob" });
    await page.getByRole("heading", { name: "Bob" }).waitFor();
    const readOut = await announced(page);
    await ana.say("one");
    await ana.say("two");
    await rows(page, "My chats").filter({ hasText: "Ana" }).getByText("2 unread").waitFor();
    await expect.poll(() => page.title()).toBe("(2) Bob – Desk");
    await expect.poll(readOut).toContain("New message from Ana: one");
    const icon = page.locator('link[rel="icon"]');
    await expect.poll(() => icon.getAttribute("href")).toContain("circle");
    await bob.say("here");
    await log(page).getByText("here").waitFor();
    await picture(page, "desk-unread");
    await message(page).fill("for Bob");
    await page.getByRole("link", { name: "Next unread chat" }).click();
    await log(page).getByText("two").waitFor();
    await page.getByRole("heading", { name: "Ana" }).waitFor();
    await expect.poll(() => page.title()).toBe("(2) Ana – Desk");
    await page.getByRole("link", { name: "Next unread chat" }).waitFor({ state: "detached" });
    const { messages } = await site.house.ask("GET", `chats/${ana.chat}/messages`);
    await expect.poll(async () => messages.length).toBe(2);
    await expect.poll(() => message(page).inputValue()).toBe("");
    await rows(page, "My chats").filter({ hasText: "Bob" }).click();
    await expect.poll(() => message(page).inputValue()).toBe("for Bob");
    await page.goBack();
    await page.getByRole("heading", { name: "Ana" }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("are found by name, by what was said, and by room; an invitation is never hidden", async () => {
    await site.house.ask("POST", "rooms", { id: "2", name: "Returns" });
    await site.house.ask("PUT", "agents/demo-agent", { rooms: ["1", "2"], slots: 9 });
    const { page } = await working();
    const ana = await chatting(page, { name: "Ana" });
    await ana.say("Where is my parcel?");
    await chatting(page, { name: "Bob" }, { room: "2" });
    const invited = await site.house.guest({ name: "Cleo" });
    await invited.assign();
    await page.getByRole("button", { name: "Accept: Cleo" }).waitFor();
    const mine = rows(page, "My chats");
    const search = page.getByRole("searchbox", { name: "Search chats and tickets" });
    const listed = (list: typeof mine) => (): Promise<readonly string[]> =>
      list.locator("strong").allInnerTexts();
    await expect.poll(listed(mine)).toEqual(["Ana", "Bob"]);
    const names = listed(rows(page, "Chats"));
    await search.fill("where PARCEL");
    await expect.poll(names).toEqual(["Ana"]);
    await search.fill("bo");
    await expect.poll(names).toEqual(["Bob"]);
    await search.fill("nobody");
    await page.getByRole("region", { name: "Chats" }).getByText("Nothing found.").waitFor();
    expect(await page.getByRole("button", { name: "Accept: Cleo" }).count()).toBe(1);
    await search.fill("");
    await page.getByRole("combobox", { name: "Rooms" }).selectOption("Returns");
    await expect.poll(names).toEqual(["Bob"]);
  });

  it("does not count as read what nobody looks at: far up in the log", async () => {
    const { page } = await working();
    const ana = await chatting(page, { name: "Ana" });
    for (let line = 0; line < 40; line++) await ana.say(`line ${line}`);
    await log(page).getByText("line 39").waitFor();
    await log(page).evaluate((element) => element.scrollTo(0, 0));
    await page.getByRole("button", { name: "To the newest message" }).waitFor();
    const last = await ana.say("unseen");
    await rows(page, "My chats").getByText("1 unread").waitFor();
    await page.getByRole("button", { name: "New messages" }).click();
    await expect
      .poll(async () => {
        const { messages } = await site.house.ask("GET", `chats/${ana.chat}/messages?length=200`);
        return messages.find((one: { id: string }) => one.id === last).read;
      })
      .toEqual(["demo-agent"]);
  });
});

describe("the user's data", () => {
  const about = {
    name: "Ana",
    contact: "ana@example.com",
    extraInfo: { plan: "gold", orders: 12, vip: true, address: { city: "León" } },
  };

  it("are changed where the agent may, and keep their types", async () => {
    const { page, complaints } = await working();
    const guest = await chatting(page, about);
    const panel = page.getByRole("complementary", { name: "User data" });
    await panel.getByLabel("Name").fill("Ana María");
    await panel.getByLabel("orders").fill("13");
    await panel.getByLabel("New field").fill("city");
    await panel.getByLabel("Value").fill("León");
    await panel.getByRole("button", { name: "Save" }).click();
    await panel.getByText("Saved.").waitFor();
    const { user } = await site.house.ask("GET", `users/${guest.id}`);
    expect(user).toMatchObject({
      name: "Ana María",
      contact: "ana@example.com",
      extraInfo: { plan: "gold", orders: 13, vip: true, address: { city: "León" }, city: "León" },
    });
    await page.getByRole("heading", { name: "Ana María" }).waitFor();
    await expect.poll(() => panel.getByLabel("city").inputValue()).toBe("León");
    await site.house.guest({ name: "Bob", externalId: "taken" });
    await panel.getByLabel("External ID").fill("taken");
    await panel.getByRole("button", { name: "Save" }).click();
    await panel.getByText(/The chat has changed in the meantime|externalId/).waitFor();
    await expect.poll(() => panel.getByLabel("External ID").inputValue()).toBe("taken");
    expect(complaints.filter((one) => !one.includes("409"))).toEqual([]);
  });

  it("keep what was typed while another chat is open, until it is saved", async () => {
    const { page } = await working();
    const guest = await chatting(page, about);
    const panel = page.getByRole("complementary", { name: "User data" });
    await panel.getByLabel("Name").fill("Ana María");
    await panel.getByLabel("Email").fill("");
    await chatting(page, { name: "Bob" });
    await expect.poll(() => panel.getByLabel("Name").inputValue()).toBe("Bob");
    await rows(page, "My chats").filter({ hasText: "Ana" }).click();
    await expect.poll(() => panel.getByLabel("Name").inputValue()).toBe("Ana María");
    await expect.poll(() => panel.getByLabel("Email").inputValue()).toBe("");
    await page.reload();
    await expect.poll(() => panel.getByLabel("Name").inputValue()).toBe("Ana María");
    await panel.getByRole("button", { name: "Save" }).click();
    await panel.getByText("Saved.").waitFor();
    const { user } = await site.house.ask("GET", `users/${guest.id}`);
    expect([user.name, user.contact]).toEqual(["Ana María", ""]);
    await page.reload();
    await expect.poll(() => panel.getByLabel("Name").inputValue()).toBe("Ana María");
  });

  it("are only shown without the right CHAT_EDIT_USER_INFO", async () => {
    await site.house.ask("PUT", "agents/demo-agent", { rights: { CHAT_EDIT_USER_INFO: false } });
    const { page } = await working();
    await chatting(page, about);
    const panel = page.getByRole("complementary", { name: "User data" });
    await panel.getByText("You aren’t allowed to change user data.").waitFor();
    await panel.getByText("ana@example.com").waitFor();
    await expect.poll(() => panel.locator("> form").count()).toBe(0);
  });

  it("are only shown of a chat that waits, is closed, or has been left", async () => {
    const { page } = await working();
    const panel = page.getByRole("complementary", { name: "User data" });
    await site.house.guest(about);
    await rows(page, "Waiting").click();
    await panel.getByText("gold").waitFor();
    await expect.poll(() => panel.locator("> form").count()).toBe(0);
    await page.getByRole("button", { name: "Take", exact: true }).click();
    await panel.locator("> form").waitFor();
    await page.getByRole("button", { name: "Close chat" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Close chat" }).click();
    await page.getByText("This chat is closed.").waitFor();
    await expect.poll(() => panel.locator("> form").count()).toBe(0);
    expect(await panel.getByText("You aren’t allowed to change user data.").count()).toBe(0);
  });
});

describe("an agent's status", () => {
  it("busy or away: nothing is offered any more, and what is open goes on", async () => {
    const { page, complaints } = await working();
    const guest = await chatting(page);
    const status = page.getByRole("combobox", { name: "Status" });
    const free = async (): Promise<object> =>
      (await site.house.ask("GET", "agents/available?roomIds=1")).agents;
    await expect.poll(() => status.inputValue()).toBe("online");
    for (const one of ["Busy", "Away"]) {
      await status.selectOption(one);
      await expect.poll(free).toEqual({ 1: 0 });
      await guest.say(`${one}, and still there?`);
      await log(page).getByText(`${one}, and still there?`).waitFor();
    }
    await page.reload();
    await expect.poll(() => status.inputValue()).toBe("away");
    await status.selectOption("Online");
    await expect.poll(free).toEqual({ 1: 1 });
    // The app's server has the last word.
    await site.house.ask("PUT", "agents/demo-agent", { online: false });
    await page.reload();
    await expect.poll(() => status.inputValue()).toBe("offline");
    await status.selectOption("Busy");
    await expect
      .poll(async () => (await site.house.ask("GET", "agents/demo-agent")).agent)
      .toMatchObject({ online: true, status: "busy" });
    await site.house.ask("PUT", "agents/demo-agent", { status: "online" });
    expect(
      complaints.filter((one) => !one.includes("ERR_ABORTED") && !one.startsWith("failed:")),
    ).toEqual([]);
  });
});

describe("the whole desk", () => {
  it("is reached by keys while somebody writes, which a sheet lists", async () => {
    const { page, complaints } = await working();
    await chatting(page, { name: "Ana" });
    await chatting(page, { name: "Bob" });
    const open = (): Promise<string> => page.locator("#chat-name").innerText();
    await expect.poll(open).toBe("Bob");
    await message(page).fill("half a sent");
    await page.keyboard.press("Alt+k");
    await expect.poll(open).toBe("Ana");
    // As quick as an agent can be: the search is asked for as soon as the chat is there.
    const searching = page.evaluate(async () => {
      const key = new KeyboardEvent("keydown", { code: "KeyS", altKey: true, bubbles: true });
      await new Promise<void>((resolve) => {
        const observer = new MutationObserver(() => {
          if (document.querySelector("#chat-name")?.textContent !== "Bob") return;
          observer.disconnect();
          document.dispatchEvent(key);
          resolve();
        });
        observer.observe(document.body, { subtree: true, childList: true, characterData: true });
      });
      // What the page does after it has painted.
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      return document.activeElement?.id;
    });
    await page.keyboard.press("Alt+j");
    await expect.poll(open).toBe("Bob");
    expect(await searching).toBe("search");
    await expect.poll(() => message(page).inputValue()).toBe("half a sent");
    await page.keyboard.press("?");
    await expect.poll(() => page.locator("#search").inputValue()).toBe("?");
    await page.keyboard.press("Alt+m");
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("message");
    const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await log(page).focus();
    await page.keyboard.press("?");
    await sheet.getByText("Alt+J").waitFor();
    await picture(page, "desk-keys");
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
  });

  it("has a view of the team: who waits, and which agent has how many chats", async () => {
    const { page, complaints } = await working();
    await chatting(page, { name: "Ana" });
    await site.house.agent("bea", { slots: 2, online: true });
    await site.house.guest({ name: "Carl" });
    await page.getByRole("button", { name: "Take: Carl" }).waitFor();
    await page.getByRole("button", { name: "Team" }).click();
    const sheet = page.getByRole("dialog", { name: "Team" });
    const lines = (): Promise<readonly string[]> => sheet.getByRole("listitem").allInnerTexts();
    await expect
      .poll(lines)
      .toEqual([
        expect.stringContaining("Carl"),
        "Sam Online · Chats: 1 of 3",
        "bea Online · Chats: 0 of 2",
      ]);
    await picture(page, "desk-team");
    await sheet.getByRole("link", { name: "Carl" }).click();
    await expect.poll(() => page.locator("#chat-name").innerText()).toBe("Carl");
    await sheet.waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
  });
});

describe("alerts", () => {
  it("come by sound and by the system once both are wanted, after a reload too, and never before", async () => {
    const { page } = await visit({ permissions: ["notifications"] });
    await page.addInitScript(() => {
      const shown: string[] = [];
      Object.assign(globalThis, { shown });
      document.hasFocus = () => false;
      const play = (): void => void shown.push("sound");
      Object.assign(OscillatorNode.prototype, { start: () => undefined, stop: play });
      class Shown extends EventTarget {
        static permission = "granted";
        static requestPermission = (): Promise<string> => Promise.resolve("granted");
        constructor(_: string, { body }: { body: string }) {
          super();
          shown.push(body);
        }
      }
      Object.assign(globalThis, { Notification: Shown });
    });
    await page.reload();
    await logIn(page);
    const shown = (): Promise<string[]> => page.evaluate("globalThis.shown");
    const guest = await chatting(page, { name: "Ana" });
    await guest.say("Quiet");
    await log(page).getByText("Quiet").waitFor();
    expect(await shown()).toEqual([]);
    await page.getByRole("button", { name: "Alerts" }).click();
    await page.getByLabel("Play a sound").check();
    await expect.poll(shown).toEqual(["sound", "sound"]);
    await page.getByLabel("Show system notifications").check();
    await picture(page, "desk-alerts");
    await page.keyboard.press("Escape");
    await page.reload();
    await message(page).waitFor();
    await page.getByText("Connected").waitFor();
    await guest.say("Hello?");
    await log(page).getByText("Hello?").waitFor();
    await expect.poll(shown).toEqual(["sound", "sound", "New message from Ana: Hello?"]);
    const second = await site.house.guest({ name: "Bob" });
    await second.assign();
    await expect.poll(shown).toContain("Invitation: Bob would like to chat.");
  });
});

describe("what may go wrong", () => {
  it("a reload keeps the chat, the draft and the login", async () => {
    const { page } = await working();
    const guest = await chatting(page, { name: "Ana" });
    await guest.say("Hello");
    await message(page).fill("I was just about to");
    await page.reload();
    await log(page).getByText("Hello").waitFor();
    await expect.poll(() => message(page).inputValue()).toBe("I was just about to");
    expect(page.url()).toBe(`${site.house.url}/desk#chat/${guest.chat}`);
    await page.getByRole("heading", { name: "Ana" }).waitFor();
  });

  it("a reload keeps what was not sent, in sight, and sends it once, by itself", async () => {
    const { page } = await working();
    const guest = await chatting(page, { name: "Ana" });
    for (let line = 0; line < 30; line++) await guest.say(`line ${line}`);
    await log(page).getByText("line 29").waitFor();
    await page.route("**/messages", (route) =>
      route.request().method() === "POST" ? route.abort() : route.continue(),
    );
    await say(page, "into the void");
    const again = log(page).getByRole("button", { name: "Send again" });
    await again.waitFor();
    await expect
      .poll(() =>
        again.evaluate((button) => {
          const frame = button.closest(".log")?.getBoundingClientRect();
          return button.getBoundingClientRect().bottom <= (frame?.bottom ?? 0);
        }),
      )
      .toBe(true);
    await page.unroute("**/messages");
    await page.reload();
    await log(page).getByText("into the void").waitFor();
    await again.waitFor({ state: "detached" });
    // The button goes when the message is on its way.
    const kept = async () => {
      const { messages } = await site.house.ask("GET", `chats/${guest.chat}/messages?length=200`);
      return messages.filter((one: { message: string }) => one.message === "into the void").length;
    };
    await expect.poll(kept).toBe(1);
    await page.reload();
    await log(page).getByText("into the void").waitFor();
    expect(await log(page).getByText("into the void").count()).toBe(1);
    expect(await kept()).toBe(1);
  });

  it("a log-out in one tab ends the others", async () => {
    const { page, context } = await working();
    const other = await context.newPage();
    await logIn(await other.goto(`${site.house.url}/desk`).then(() => other));
    await page.getByRole("button", { name: "Log out" }).click();
    await other.getByLabel("Password").waitFor();
    await expect.poll(() => other.getByText("Connected").count()).toBe(0);
  });

  it("a reload keeps what was typed in the moment before it", async () => {
    const { page } = await working();
    const guest = await chatting(page, { name: "Ana" });
    await guest.say("Hello");
    await log(page).getByText("Hello").waitFor();
    // That moment: no timer comes between the key and the reload.
    await page.evaluate("window.setTimeout = () => 0");
    await message(page).fill("I was just about to");
    await page.reload();
    await log(page).getByText("Hello").waitFor();
    await expect.poll(() => message(page).inputValue()).toBe("I was just about to");
  });

  it("a lost connection is shown and repaired, and nothing that happened meanwhile is missed", async () => {
    const { page } = await working();
    const guest = await chatting(page, { name: "Ana" });
    await guest.say("before");
    await log(page).getByText("before").waitFor();
    await site.house.interrupt();
    await page.getByText("The connection is lost. Trying again…").waitFor();
    await say(page, "into the void");
    await log(page)
      .getByText("Not sent. The service can’t be reached. It is sent as soon")
      .waitFor();
    await picture(page, "desk-lost");
    await site.house.resume();
    await guest.say("meanwhile");
    const other = await site.house.guest({ name: "Bob" });
    await other.assign();
    // It tries by itself as well, and the button is gone when that comes first.
    const tried = page.getByRole("button", { name: "Try now" }).click();
    await Promise.race([tried, page.getByText("Connected").waitFor()]);
    await page.getByText("Connected").waitFor();
    await log(page).getByText("meanwhile").waitFor();
    await page.getByRole("button", { name: "Accept: Bob" }).waitFor();
    // What could not be sent goes by itself, behind what the user wrote meanwhile.
    const all = ["before", "meanwhile", "into the void"];
    await expect
      .poll(async () => {
        const { messages } = await site.house.ask("GET", `chats/${guest.chat}/messages`);
        return messages.map((one: { message: string }) => one.message);
      })
      .toEqual(all);
    await expect.poll(() => log(page).locator(".said .text").allTextContents()).toEqual(all);
    await expect.poll(() => log(page).getByText("Not sent.").count()).toBe(0);
  });

  it("an ended session asks for the login again, over a desk whose draft stays", async () => {
    const { page } = await working();
    const guest = await chatting(page, { name: "Ana" });
    await message(page).fill("a long and careful answer");
    const { token } = await page.evaluate(() =>
      JSON.parse(sessionStorage.getItem("desk-session") ?? "{}"),
    );
    await site.house.askAs(token, "POST", "agents/logout", {});
    await message(page).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Log in" });
    await dialog.getByText("Your session has ended.").waitFor();
    await picture(page, "desk-expired");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    expect(await dialog.isVisible()).toBe(true);
    expect(await dialog.getByLabel("Login", { exact: true }).inputValue()).toBe("demo-agent");
    await dialog.getByLabel("App ID").fill("demo-app");
    await dialog.getByLabel("Password").fill("demo-agent");
    await dialog.getByRole("button", { name: "Log in" }).click();
    await dialog.waitFor({ state: "detached" });
    await expect
      .poll(async () =>
        (await site.house.ask("GET", `chats/${guest.chat}/messages`)).messages.map(
          (one: { message: string }) => one.message,
        ),
      )
      .toEqual(["a long and careful answer"]);
    await log(page).getByText("a long and careful answer").waitFor();
  });

  it("a draft that was not sent yet survives an ended session too", async () => {
    await site.house.ask("PUT", "settings", { inactivity: 0 });
    const { page } = await working();
    await chatting(page, { name: "Ana" });
    await message(page).fill("not yet");
    ahead = 13 * 3_600_000;
    await site.house.interrupt();
    await site.house.resume();
    const dialog = page.getByRole("dialog", { name: "Log in" });
    await dialog.waitFor();
    await dialog.getByLabel("Password").fill("demo-agent");
    await dialog.getByRole("button", { name: "Log in" }).click();
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => message(page).inputValue()).toBe("not yet");
  });

  it("a chat that is not there is said to be so", async () => {
    const { page } = await working();
    await page.goto(`${site.house.url}/desk#chat/nothing`);
    await page.getByText("This chat doesn’t exist, or you don’t have access to it.").waitFor();
  });
});
