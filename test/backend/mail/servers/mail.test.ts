import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder } from "../../../fixtures/folder.ts";
import { mountable, onDisk } from "../../../fixtures/small-disk.ts";
import { mailServers } from "./mail-servers.ts";
import { answerTo, bodiesOf, openMailingDesk } from "./mailing-desk.ts";

test("an answer from the desk arrives in a mailbox, and the reply to it in the ticket, both once", async () => {
  const servers = await mailServers();
  const { answer, replies, crash } = await openMailingDesk(servers);
  await servers.deliver("From: someone@else.example\nSubject: Hello\n\nNothing of ours\n");
  await answer("Yes, it is blue.");
  await expect.poll(() => bodiesOf(servers)).toEqual(["Yes, it is blue."]);
  const body = "Then I take it.\n\nOn Monday Shop wrote:\n> blue";
  const mail = answerTo(servers, { id: "one", body });
  await servers.deliver(mail);
  await expect.poll(replies).toEqual(["Yes, it is blue.", "Then I take it."]);
  // A repeated mail, another sender's, and a crash change nothing.
  await servers.deliver(mail);
  await servers.deliver(
    answerTo(servers, { id: "two", from: "eve@evil.example", body: "Send it to me" }),
  );
  await crash();
  await expect.poll(() => servers.mailbox().filter((name) => name.endsWith("S"))).toHaveLength(3);
  expect(await replies()).toEqual(["Yes, it is blue.", "Then I take it."]);
  // A mail that names no ticket stays unread for people.
  expect(servers.mailbox().filter((name) => !name.endsWith("S"))).toHaveLength(1);
  expect(bodiesOf(servers)).toEqual(["Yes, it is blue."]);
});

test("after servers and backends were killed, every mail is handled once", async () => {
  const servers = await mailServers();
  const { answer, replies, crash, stderr } = await openMailingDesk(servers);
  await answer("One");
  await expect.poll(() => bodiesOf(servers)).toEqual(["One"]);
  await servers.kill("smtp");
  await servers.kill("imap");
  await answer("Two");
  await servers.deliver(answerTo(servers, { id: "three", body: "Three" }));
  await crash();
  await expect.poll(stderr).toMatch(/"event":"mailbox-unreadable"/u);
  await servers.start("smtp");
  await servers.start("imap");
  await expect.poll(() => bodiesOf(servers).toSorted()).toEqual(["One", "Two"]);
  await expect.poll(replies).toEqual(["One", "Two", "Three"]);
});

test("handles a huge mail, one of 2,000 parts, one to 200 people, one in Shift_JIS and one with a made-up reference", async () => {
  const servers = await mailServers();
  const { answer, replies, mails } = await openMailingDesk(servers);
  await answer("Hello");
  await expect.poll(() => bodiesOf(servers)).toEqual(["Hello"]);
  const huge = "a line of a very large mail, again and again and again\n".repeat(600_000);
  expect(huge.length).toBeGreaterThan(30 * 1024 * 1024);
  const people = Array.from({ length: 200 }, (_, n) => `person-${n}@x.example`).join(",\n ");
  // こんにちは
  const japanese = Buffer.from([0x82, 0xb1, 0x82, 0xf1, 0x82, 0xc9, 0x82, 0xbf, 0x82, 0xcd]);
  const forged = `<aw-${"abcdefgh".repeat(4)}.abcdefgh@shop.example>`;
  const parts = "--b\nContent-Type: text/plain\n\nOne of many\n".repeat(2_000);
  for (const mail of [
    { id: "parts", type: "multipart/mixed; boundary=b", body: parts },
    { id: "huge", body: huge },
    { id: "many", to: `help@shop.example,\n ${people}`, body: "To all of you" },
    { id: "sjis", type: "text/plain; charset=Shift_JIS", body: japanese },
    { id: "forged", about: forged, body: "Give me the lamp" },
  ]) {
    await servers.deliver(answerTo(servers, mail));
  }
  await expect.poll(replies).toEqual(["Hello", "To all of you", "こんにちは"]);
  const held = (await mails()).filter(({ state }) => state === "held");
  expect(held).toMatchObject([
    { reason: "it can't be read: open it in the mailbox" },
    { reason: "it is too large: open it in the mailbox" },
  ]);
  // Only the mail without a ticket stays unread, and nothing was sent to the 200.
  expect(servers.mailbox().filter((name) => !name.endsWith("S"))).toHaveLength(1);
  expect(bodiesOf(servers)).toEqual(["Hello"]);
});

test.skipIf(!mountable())(
  "on a full disk an answer is refused with the reason and a mail waits, and each is stored once when there is space",
  async () => {
    const servers = await mailServers();
    const disk = join(createFolder(), "disk");
    await mkdir(disk);
    const under = onDisk(disk, "8m");
    const database = join(disk, "backend.db");
    const desk = await openMailingDesk(servers, { database, under });
    const { answer, replies, stderr } = desk;
    await answer("Before");
    await expect.poll(() => bodiesOf(servers)).toEqual(["Before"]);
    const filler = join("/proc", String(desk.pid), "root", disk, "filler");
    await expect(writeFile(filler, Buffer.alloc(9_000_000))).rejects.toThrow("ENOSPC");
    const refused = await answer("While it is full", "one key");
    expect(refused.status).toBe(503);
    await servers.deliver(answerTo(servers, { id: "waits", body: "A mail that waits" }));
    await expect.poll(stderr).toMatch(/the disk is full: free some space/u);
    expect(await replies()).toEqual(["Before"]);
    await rm(filler);
    expect((await answer("While it is full", "one key")).status).toBe(200);
    expect((await answer("While it is full", "one key")).status).toBe(200);
    await expect.poll(replies).toEqual(["Before", "While it is full", "A mail that waits"]);
    await expect.poll(() => bodiesOf(servers).toSorted()).toEqual(["Before", "While it is full"]);
  },
);
