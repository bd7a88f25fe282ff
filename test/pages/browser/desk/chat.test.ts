import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { picture } from "../chromium.ts";
import { log, message, useWork } from "./use-work.ts";

const { startChat, site, openDesk } = useWork();

describe("a chat", () => {
  it("goes both ways, with signs of writing and marks of reading", async () => {
    const { page, complaints } = await openDesk();
    const guest = await startChat(page, { name: "Ana" });
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
    const { page } = await openDesk();
    const guest = await startChat(page);
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
    const { page, complaints } = await openDesk();
    await startChat(page, { name: "Ana" }, { lang: "de" });
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
    const { page, complaints } = await openDesk();
    const guest = await startChat(page, { name: "Ana" });
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
    const { page, complaints } = await openDesk();
    const guest = await startChat(page);
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
    const { page } = await openDesk();
    const guest = await startChat(page, { name: "Ana" });
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
    const { page } = await openDesk({ viewport: { width: 1280, height: 500 } });
    const guest = await startChat(page, { name: "Ana" });
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

  it("shows a picture that failed without a connection once it is back", async () => {
    const { page, context } = await openDesk();
    const guest = await startChat(page, { name: "Ana" });
    const shown = log(page).getByRole("img", { name: "screen.png" });
    const content = (await page.screenshot()).toString("base64");
    let isLost = true;
    await page.route("**/media/**", (route) => (isLost ? route.abort() : route.continue()));
    const from = { chatId: guest.chat, senderId: guest.id };
    await site.house.ask("POST", "media", { name: "screen.png", content, ...from });
    await log(page).getByText("The service can’t be reached.").waitFor();
    await context.setOffline(true);
    await page.getByText("The connection is lost").waitFor();
    isLost = false;
    await context.setOffline(false);
    await shown.waitFor();
    expect(await log(page).getByText("The service can’t be reached.").count()).toBe(0);
  });

  it("says why a file was not sent, and lets it be discarded", async () => {
    const { page } = await openDesk();
    await startChat(page);
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
    await page
      .locator("#file")
      .setInputFiles([{ name: "empty.pdf", mimeType: "application/pdf", buffer: Buffer.alloc(0) }]);
    await log(page).getByText("Not sent. This file is not what its name says.").waitFor();
  });
});
