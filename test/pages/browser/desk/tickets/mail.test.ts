import { createHmac } from "node:crypto";
import type { Browser } from "playwright-core";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { scriptedSmtp } from "../../../../backend/mail/scripted-smtp.ts";
import { axe, openBrowser } from "../../chromium.ts";
import { logIn, openDesk, openHouse } from "../desk-house.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});

const secret = "sixteen or more signs";

it("a mail whose server has not answered yet is not said to wait", async () => {
  // As a process leaves it that is killed while it sends, until its claim ends.
  const smtp = await scriptedSmtp({ answer: (word) => (word === "." ? "silence" : undefined) });
  const from = "Shop <help@shop.example>";
  const house = await openHouse(undefined, {
    smtp: smtp.address,
    from,
    inbound: null,
    acknowledge: null,
  });
  onTestFinished(() => house.close());
  const ada = await house.askOwner("POST", "users", { name: "Ada", address: "ada@ada.example" });
  const about = { title: "A lamp", message: "Is it blue?", creator: ada.uuid };
  const ticket = await house.askOwner("POST", "tickets", about);
  const { page, context } = await openDesk(browser, `${house.url}/desk`, {});
  onTestFinished(() => context.close());
  await logIn(page);
  await page.evaluate((hash) => void (location.hash = hash), `#tickets/${ticket.id}`);
  await page.locator("#ticket-message").fill("Yes, it is blue.");
  await page.keyboard.press("Control+Enter");
  await expect.poll(() => smtp.mails.length).toBe(1);
  await page.getByText("Sending by email has begun, but isn’t confirmed yet").waitFor();
  expect(await page.getByText("Email waiting to be sent").count()).toBe(0);
  smtp.hangUp();
});

it("an agent sees that an answer has left by e-mail, sends one again, and decides about a stranger's mail", async () => {
  let refuses = true;
  const smtp = await scriptedSmtp({
    answer: (word) => (refuses && word === "RCPT" ? "550 mailbox full" : undefined),
  });
  const house = await openHouse(undefined, {
    smtp: smtp.address,
    from: "Shop <help@shop.example>",
    inbound: { kind: "webhook", secret },
    acknowledge: null,
  });
  onTestFinished(() => house.close());
  const post = async (path: string, headers: object, body: string) => {
    const answer = await fetch(`${house.url}${path}`, {
      method: "POST",
      headers: { ...headers },
      body,
    });
    // oxlint-disable-next-line typescript/no-explicit-any
    const value: any = await answer.json();
    return value;
  };
  const ada = await house.askOwner("POST", "users", { name: "Ada", address: "ada@ada.example" });
  const about = { title: "A lamp", message: "Is it blue?", creator: ada.uuid };
  const ticket = await house.askOwner("POST", "tickets", about);

  const { page, context } = await openDesk(browser, `${house.url}/desk`, {});
  onTestFinished(() => context.close());
  await logIn(page);
  await page.evaluate((hash) => void (location.hash = hash), `#tickets/${ticket.id}`);
  await page.getByText("The answer is sent to ada@ada.example by email.").waitFor();
  await page.locator("#ticket-message").fill("Yes, it is blue.");
  await page.keyboard.press("Control+Enter");
  await page.getByText(/The email was not delivered .*mailbox full/).waitFor();
  refuses = false;
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText("Sent by email").waitFor();
  expect(smtp.mails).toHaveLength(1);

  const id = /^Message-ID:\s*(<[^>]+>)/im.exec(smtp.mails[0] ?? "")?.[1];
  const arrive = (from: string, text: string): Promise<unknown> => {
    const mail = `From: ${from}\r\nMessage-ID: <${text.length}@${from}>\r\nIn-Reply-To: ${id}\r\n\r\n${text}\r\n`;
    const signature = `sha256=${createHmac("sha256", secret).update(mail).digest("hex")}`;
    return post("/ticketing/v1/mail", { "x-hook-signature": signature }, mail);
  };
  await arrive("ada@ada.example", "Thank you.\r\n\r\nOn Monday Shop wrote:\r\n> Yes, it is blue.");
  await arrive("eve@evil.example", "Send it to me");
  const held = page.locator(".mail.held");
  await held.getByText("An email from eve@evil.example is waiting for your decision").waitFor();
  const theirs = page.locator(".theirs", { hasText: "Thank you." });
  await theirs.locator("summary", { hasText: "Quoted text" }).click();
  await theirs.getByText("> Yes, it is blue.").waitFor();
  expect(await axe(page)).toEqual([]);
  await held.getByRole("button", { name: "Discard it" }).click();
  await page.getByText("An email from eve@evil.example was discarded").waitFor();
  await expect.poll(() => held.count()).toBe(0);
  // An accepted message keeps its author's name.
  await arrive("ben@ada.example", "I am her brother");
  await held.getByRole("button", { name: "Add it as a reply" }).click();
  const words = page.locator(".theirs:not(.mail)", { hasText: "I am her brother" });
  await words.waitFor();
  expect(await words.locator(".who").innerText()).toMatch(/^ben@ada\.example/);
});
