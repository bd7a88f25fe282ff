import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { MailConfig } from "../../../../src/config/config.ts";
import type { MailFailure } from "../../../../src/backend/mail/mailing.ts";
import { resendMail } from "../../../../src/backend/mail/mails.ts";
import { sendDueMails } from "../../../../src/backend/mail/send-mails.ts";
import { createSmtpSender } from "../../../../src/backend/mail/smtp.ts";
import { decideMail, takeMail, type MailOutcome } from "../../../../src/backend/mail/take-mail.ts";
import { scriptedSmtp, type Script } from "../../mail/scripted-smtp.ts";
import { png, service } from "../service.ts";

const secret = "sixteen or more signs";

/** A service whose answers are sent by the test's own SMTP server. */
async function mailing(address: string | null, script?: Script, more: Partial<MailConfig> = {}) {
  const smtp = await scriptedSmtp(script);
  const mail: MailConfig = {
    smtp: smtp.address,
    from: "Shop <help@shop.example>",
    inbound: { kind: "webhook", secret },
    acknowledge: null,
    ...more,
  };
  const opened = await service(address, { mail });
  const { database, time, ask, writing } = opened;
  const texts: string[] = [];
  const failed = ({ state }: MailFailure): void => void texts.push(state);
  const send = createSmtpSender(mail.smtp);
  const ada = await ask("POST", "/users", { name: "Ada", address: `ada@${unique()}.example` });
  const agent = await opened.user("Sam");
  const ticket = await opened.ticket({ title: "A lamp", creator: ada.body.uuid });
  const person = await ask("GET", `/users/${ada.body.uuid}`);
  return {
    ...opened,
    newTicket: opened.ticket,
    ada: ada.body.uuid,
    smtp,
    failures: texts,
    ticket,
    agent,
    address: String(person.body.address),
    sendDue: () => sendDueMails({ database, mail, send, now: time.now, failed }),
    take: (source: string): Promise<MailOutcome> => takeMail(writing, Buffer.from(source)),
    answer: (message: string, rest: object = {}) =>
      ask("POST", `/tickets/${ticket.id}/replies`, { creator: agent, message, ...rest }),
    mails: () =>
      database.kysely
        .selectFrom("mails")
        .selectAll()
        .where("ticket", "=", ticket.id)
        .orderBy("id")
        .execute(),
    replies: async () => {
      const { body } = await ask("GET", `/tickets/${ticket.id}/replies`);
      return body.data as readonly { message: string; type: string; attachments: unknown[] }[];
    },
  };
}

type Mailing = Awaited<ReturnType<typeof mailing>>;

let made = 0;
const unique = (): string => `host${(made += 1)}-${process.pid}-${Date.now()}`;

/** Creates a mail that answers the last sent one. */
function answerTo(
  { smtp, address }: Pick<Mailing, "smtp" | "address">,
  text: string,
  head = "",
): string {
  const id = /^Message-ID:\s*(<[^>]+>)/im.exec(smtp.mails.at(-1) ?? "")?.[1] ?? "";
  return `From: Ada <${address}>\r\nTo: help@shop.example\r\nMessage-ID: <${unique()}@mail.example>\r\nIn-Reply-To: ${id}\r\nReferences: ${id}\r\nSubject: Re: A lamp\r\n${head}${/^content-type/im.test(head) ? "" : "Content-Type: text/plain; charset=utf-8\r\n"}\r\n${text}`;
}

/** Tests the e-mail of tickets on any database. */
export function mail(name: string, address: () => Promise<string> | string | null): void {
  describe(`e-mail over ${name}`, () => {
    const open = async (script?: Script, more?: Partial<MailConfig>) =>
      mailing(await address(), script, more);

    test("an answer is sent once with its file, and is marked as sent", async () => {
      const desk = await open();
      const file = await desk.ask("POST", "/media", { name: "lamp.png", content: png });
      await desk.answer("It is on its way.", { attachments: [String(file.body.uuid)] });
      await desk.sendDue();
      await desk.sendDue();
      const [sent, ...more] = desk.smtp.mails;
      expect(more).toEqual([]);
      expect(sent).toMatch(/^To: ada@/m);
      expect(sent).toMatch(/^Subject: A lamp \[\w{3}-\d+\]/m);
      expect(sent).toContain("It is on its way.");
      expect(sent).toContain("lamp.png");
      expect(await desk.mails()).toMatchObject([{ state: "sent", attempts: 1, reason: null }]);
    });

    test("a file that makes a mail too large is named, and smaller ones after it are attached", async () => {
      const desk = await open();
      const upload = async (file: string, bytes: number): Promise<string> => {
        const content = Buffer.alloc(bytes, "x").toString("base64");
        const { body } = await desk.ask("POST", "/media", { name: file, content });
        return String(body.uuid);
      };
      const attachments = [
        await upload("first.txt", 6_000_000),
        await upload("second.txt", 6_000_000),
        await upload("third.txt", 1000),
      ];
      await desk.answer("Here they are.", { attachments });
      await desk.sendDue();
      const sent = desk.smtp.mails.at(-1) ?? "";
      expect(sent.match(/filename=[\w.]+/g)).toEqual(["filename=first.txt", "filename=third.txt"]);
      expect(sent).toContain("(second.txt)");
    });

    test("no mail is sent for an unanswered ticket or to a person without an address", async () => {
      const desk = await open();
      await desk.sendDue();
      const nobody = await desk.ask("POST", "/users", {
        name: "Nobody",
        address: `n${unique()}@chat.invalid`,
      });
      const other = await desk.newTicket({ creator: nobody.body.uuid });
      await desk.ask("POST", `/tickets/${other.id}/replies`, {
        creator: desk.agent,
        message: "Hello",
      });
      await desk.sendDue();
      expect(desk.smtp.mails).toEqual([]);
    });

    test("a new ticket is acknowledged where the owner wants that, five times a day for one address", async () => {
      const desk = await open(undefined, { acknowledge: "We have got it." });
      for (let count = 0; count < 6; count += 1) {
        await desk.newTicket({ title: `Number ${count}`, creator: desk.ada });
      }
      await desk.sendDue();
      expect(desk.smtp.mails).toHaveLength(5);
      expect(desk.smtp.mails[0]).toMatch(/^Auto-Submitted: auto-replied/m);
      await desk.answer("Hello");
      await desk.sendDue();
      expect(desk.smtp.mails[5]).not.toMatch(/^Auto-Submitted/m);
    });

    test("a server that refuses now is called again later, in the same order", async () => {
      let busy = true;
      const desk = await open({
        answer: (word) => (busy && word === "RCPT" ? "451 later" : undefined),
      });
      await desk.answer("One");
      await desk.answer("Two");
      await desk.sendDue();
      expect(desk.smtp.mails).toEqual([]);
      busy = false;
      desk.time.advance(10);
      await desk.sendDue();
      expect(desk.smtp.mails.map((one) => /One|Two/.exec(one)?.[0])).toEqual(["One", "Two"]);
      expect(desk.failures).toEqual([]);
    });

    test("a server that refuses for days is called after growing waits of at most an hour, and then no more", async () => {
      const desk = await open({ answer: (word) => (word === "RCPT" ? "451 later" : undefined) });
      await desk.answer("Hello");
      const waits: number[] = [];
      for (let count = 1; count < 60; count += 1) {
        await desk.sendDue();
        const [waiting] = await desk.mails();
        expect(waiting).toMatchObject({ state: "queued", attempts: count });
        waits.push((Number(waiting?.due) - desk.time.now()) / 1000);
        // A second before it is due, nothing is tried.
        desk.time.advance((waits.at(-1) ?? 0) - 1);
        await desk.sendDue();
        expect(await desk.mails()).toMatchObject([{ attempts: count }]);
        desk.time.advance(1);
      }
      expect(waits.slice(0, 11)).toEqual([
        10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600,
      ]);
      expect(new Set(waits.slice(9))).toEqual(new Set([3_600]));
      expect(desk.failures).toEqual([]);
      await desk.sendDue();
      desk.time.advance(86_400);
      await desk.sendDue();
      expect(await desk.mails()).toMatchObject([
        { state: "failed", attempts: 60, reason: expect.stringContaining("later") },
      ]);
      expect(desk.failures).toEqual(["failed"]);
    });

    test("an address that the server refuses fails at once, and says why", async () => {
      const desk = await open({
        answer: (word) => (word === "RCPT" ? "550 no such user" : undefined),
      });
      await desk.answer("Hello");
      await desk.sendDue();
      const [only] = await desk.mails();
      expect(only).toMatchObject({
        state: "failed",
        reason: expect.stringContaining("no such user"),
      });
      expect(desk.failures).toEqual(["failed"]);
    });

    test.each([
      ["closes", null],
      ["says nothing that can be read", "what?"],
    ])(
      "a mail is marked as perhaps sent when the server %s after it, and is sent again only on request",
      async (_what, reply) => {
        let broken = true;
        const desk = await open({ answer: (word) => (broken && word === "." ? reply : undefined) });
        await desk.answer("Hello");
        await desk.sendDue();
        desk.time.advance(100_000);
        await desk.sendDue();
        expect(desk.smtp.mails).toHaveLength(1);
        const [doubtful] = await desk.mails();
        expect(doubtful).toMatchObject({ state: "doubtful" });
        broken = false;
        await resendMail(desk.database.kysely, {
          ticket: desk.ticket.id,
          mail: doubtful?.id ?? 0,
          now: desk.time.now(),
        });
        await desk.sendDue();
        const ids = desk.smtp.mails.map((one) => /^Message-ID:\s*(\S+)/im.exec(one)?.[1]);
        expect(new Set(ids).size).toBe(1);
        expect(ids).toHaveLength(2);
        expect(await desk.mails()).toMatchObject([{ state: "sent" }]);
      },
    );

    test("a mail whose process died while it was sent is marked as perhaps sent", async () => {
      const desk = await open();
      await desk.answer("Hello");
      await desk.database.kysely
        .updateTable("mails")
        .set({ state: "sending", due: desk.time.now() + 1000 })
        .where("ticket", "=", desk.ticket.id)
        .execute();
      await desk.sendDue();
      desk.time.advance(2);
      await desk.sendDue();
      expect(desk.smtp.mails).toEqual([]);
      expect(await desk.mails()).toMatchObject([{ state: "doubtful" }]);
    });

    test("two processes send each mail once", async () => {
      const desk = await open();
      for (const text of ["One", "Two", "Three"]) await desk.answer(text);
      await Promise.all([desk.sendDue(), desk.sendDue(), desk.sendDue()]);
      await desk.sendDue();
      expect(desk.smtp.mails).toHaveLength(3);
    });

    test("an answer by mail becomes the person's reply once, without its quotes, and reopens the ticket", async () => {
      const desk = await open();
      await desk.answer("Is it blue?");
      await desk.sendDue();
      for (const status of [2, 3, 4])
        await desk.ask("PUT", `/tickets/${desk.ticket.id}`, { status });
      const mail = answerTo(
        desk,
        "Yes, <b>blue</b>.\r\n\r\nOn Monday Shop wrote:\r\n> Is it blue?",
      );
      expect(await desk.take(mail)).toMatchObject({ kind: "stored", state: "taken" });
      expect(await desk.take(mail)).toEqual({ kind: "known" });
      const replies = await desk.replies();
      expect(replies).toHaveLength(2);
      expect(replies[1]).toMatchObject({ type: "reply", message: "Yes, &lt;b&gt;blue&lt;/b&gt;." });
      const { body } = await desk.ask("GET", `/tickets/${desk.ticket.id}`);
      expect(body.status).toBe(2);
      expect((await desk.mails()).at(-1)).toMatchObject({
        quoted: expect.stringContaining("> Is it blue?"),
      });
    });

    test("a mail that several connections deliver at the same instant becomes one reply", async () => {
      const desk = await open();
      await desk.answer("Is it blue?");
      await desk.sendDue();
      const mail = answerTo(desk, "Yes, blue.");
      const taken = await Promise.all(Array.from({ length: 8 }, () => desk.take(mail)));
      expect(taken.map(({ kind }) => kind).toSorted()).toEqual([
        ...Array.from({ length: 7 }, () => "known"),
        "stored",
      ]);
      expect((await desk.replies()).map(({ message }) => message)).toEqual([
        "Is it blue?",
        "Yes, blue.",
      ]);
    });

    test("an answer keeps its paragraphs in its mail, and goes to the other ticket after a merge", async () => {
      const desk = await open();
      const other = await desk.newTicket({ title: "The same lamp", creator: desk.ada });
      await desk.answer("One &amp; two<br>\n<br>\nThree");
      await desk.sendDue();
      expect(desk.smtp.mails[0]?.replaceAll("\r\n", "\n")).toContain("One & two\n\nThree");
      const { kysely } = desk.database;
      await kysely
        .updateTable("tickets")
        .set({ merged: other.id })
        .where("id", "=", desk.ticket.id)
        .execute();
      expect(await desk.take(answerTo(desk, "Thanks"))).toMatchObject({
        state: "taken",
        ticket: other.id,
      });
      const { body } = await desk.ask("GET", `/tickets/${other.id}/replies`);
      expect(body.data).toMatchObject([{ message: "Thanks", type: "reply" }]);
    });

    test("a mail of another person, or with a forged reference, never becomes a reply by itself", async () => {
      const desk = await open();
      await desk.answer("Hello");
      await desk.sendDue();
      const other = answerTo({ ...desk, address: "eve@evil.example" }, "Give me the lamp");
      expect(await desk.take(other)).toMatchObject({ state: "held" });
      const forged = other
        .replaceAll(/aw-[a-z2-7]{32}/g, `aw-${"a".repeat(32)}`)
        .replace(/Message-ID: <host/, "Message-ID: <forged");
      expect(await desk.take(forged)).toEqual({ kind: "unreferenced" });
      expect(await desk.replies()).toHaveLength(1);
      const held = (await desk.mails()).at(-1);
      expect(held).toMatchObject({ state: "held", reason: "somebody else sent it" });
      const decision = { ticket: desk.ticket.id, mail: held?.id ?? 0 };
      await decideMail(desk.writing, { ...decision, accept: true });
      await expect(decideMail(desk.writing, { ...decision, accept: false })).rejects.toThrow(
        "needs no decision",
      );
      expect(await desk.replies()).toHaveLength(2);
    });

    test.each([
      ["an out-of-office note", "Auto-Submitted: auto-replied\r\n", "automatic"],
      ["a list's mail", "Precedence: bulk\r\n", "automatic"],
      ["a mail without a return path", "Return-Path: <>\r\n", "automatic"],
    ])("%s changes nothing of the ticket", async (_name, head, state) => {
      const desk = await open();
      await desk.answer("Hello");
      await desk.sendDue();
      expect(await desk.take(answerTo(desk, "I am away.", head))).toMatchObject({ state });
      expect(await desk.replies()).toHaveLength(1);
    });

    test("a bounce marks the mail that came back", async () => {
      const desk = await open();
      await desk.answer("Hello");
      await desk.sendDue();
      const parts = 'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n';
      const bounce = answerTo(
        { ...desk, address: "mailer-daemon@mail.example" },
        `--b\r\nContent-Type: text/plain\r\n\r\nCould not deliver.\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mail.example\r\n\r\nAction: failed\r\nDiagnostic-Code: smtp; 550 mailbox full\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n${desk.smtp.mails[0]}\r\n--b--\r\n`,
        parts,
      );
      expect(await desk.take(bounce)).toMatchObject({ state: "bounced" });
      expect((await desk.mails())[0]).toMatchObject({
        state: "failed",
        reason: "smtp; 550 mailbox full",
      });
    });

    test("a mail's text is read in its character set, HTML becomes text, and only files that may be are kept", async () => {
      const desk = await open();
      await desk.answer("Hello");
      await desk.sendDue();
      const shiftJis = Buffer.concat([
        Buffer.from(
          answerTo(
            desk,
            "",
            "Content-Type: text/plain; charset=Shift_JIS\r\nContent-Transfer-Encoding: 8bit\r\n",
          ),
        ),
        Buffer.from([0x82, 0xb1, 0x82, 0xf1, 0x82, 0xc9, 0x82, 0xbf, 0x82, 0xcd]),
      ]);
      await takeMail(desk.writing, shiftJis);
      await desk.take(
        answerTo(
          desk,
          "<p>One</p><script>alert(1)</script><p>Two</p>",
          "Content-Type: text/html; charset=utf-8\r\n",
        ),
      );
      const file = (name: string, type: string, base64: string): string =>
        `--b\r\nContent-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64}\r\n`;
      await desk.take(
        answerTo(
          desk,
          `--b\r\nContent-Type: text/plain\r\n\r\nFiles\r\n${file("lamp.png", "image/png", png)}${file("virus.exe", "application/octet-stream", "TVo=")}--b--\r\n`,
          'Content-Type: multipart/mixed; boundary="b"\r\n',
        ),
      );
      // Sent by programs that write no plain text: with a file, or a picture inside.
      for (const kind of ["mixed", "related"]) {
        await desk.take(
          answerTo(
            desk,
            `--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>With a picture</p><script>alert(1)</script><blockquote>Hello</blockquote>\r\n${file("lamp.png", "image/png", png)}--b--\r\n`,
            `Content-Type: multipart/${kind}; boundary="b"\r\n`,
          ),
        );
      }
      const [, japanese, html, files, ...pictures] = await desk.replies();
      expect(pictures.map(({ message }) => message)).toEqual(["With a picture", "With a picture"]);
      expect((await desk.mails()).at(-1)?.quoted).toBe("> Hello");
      expect(japanese?.message).toBe("こんにちは");
      expect(html?.message).toBe("One<br>\n<br>\nTwo");
      expect(html?.message).not.toContain("alert");
      expect(files?.attachments).toMatchObject([{ name: "lamp.png" }]);
      expect(files?.message).toBe(
        "Files<br>\n(virus.exe: files of the kind .exe are not accepted)",
      );
    });

    test("a mail that can't be read, has hundreds of files or a huge text stops no other mail", async () => {
      const desk = await open();
      await desk.answer("Which one?");
      await desk.sendDue();
      const part = "--b\r\nContent-Type: image/png\r\nContent-Disposition: attachment";
      const files = (count: number): string =>
        Array.from(
          { length: count },
          (_, n) =>
            `${part}; filename=${n}.png\r\nContent-Transfer-Encoding: base64\r\n\r\n${png}\r\n`,
        ).join("");
      const mixed = "Content-Type: multipart/mixed; boundary=b\r\n";
      const parts = answerTo(desk, `${files(2_000)}--b--\r\n`, mixed);
      expect(await desk.take(parts)).toMatchObject({ kind: "stored", state: "held" });
      expect(await desk.take(parts)).toEqual({ kind: "known" });
      const long = answerTo(desk, "Hello", `Cc: ${"someone@x.example, ".repeat(100_000)}\r\n`);
      expect(await desk.take(long)).toMatchObject({ kind: "stored", state: "held" });
      const nobodys = `Cc: ${"someone@x.example, ".repeat(100_000)}\r\n\r\nHello\r\n`;
      expect(await desk.take(nobodys)).toEqual({ kind: "unreferenced" });
      const book = answerTo(desk, "a line of a book\r\n".repeat(100_000));
      expect(await desk.take(book)).toMatchObject({ kind: "stored", state: "held" });
      const held = (await desk.mails()).filter(({ state }) => state === "held");
      expect(held.map(({ reason }) => reason)).toEqual([
        "it can't be read: open it in the mailbox",
        "it can't be read: open it in the mailbox",
        "it is too long: open it in the mailbox",
      ]);
      expect(Math.max(...held.map(({ text }) => text.length))).toBeLessThanOrEqual(500_000);
      const [unread] = held;
      const decision = { ticket: desk.ticket.id, mail: unread?.id ?? 0, accept: true };
      await expect(decideMail(desk.writing, decision)).rejects.toMatchObject({ status: 409 });
      // Of very many files, the first hundred are attached to the reply, and the others are named.
      const text = "--b\r\nContent-Type: text/plain\r\n\r\nHere they are\r\n";
      const shown = answerTo(desk, `${text}${files(103)}--b--\r\n`, mixed);
      expect(await desk.take(shown)).toMatchObject({ kind: "stored", state: "taken" });
      const reply = (await desk.replies()).at(-1);
      expect(reply?.attachments).toHaveLength(100);
      expect(reply?.message).toMatch(/102\.png/u);
    });

    test("HTML that is too long is held with its beginning, and HTML that is nested deep is read", async () => {
      const desk = await open();
      await desk.answer("Hello");
      await desk.sendDue();
      const html = "Content-Type: text/html; charset=utf-8\r\n";
      const lines = "<p>One of very many lines.</p>\r\n".repeat(100_000);
      const long = answerTo(desk, `<p>It begins so.</p>\r\n${lines}`, html);
      expect(await desk.take(long)).toMatchObject({ kind: "stored", state: "held" });
      const held = (await desk.mails()).at(-1);
      expect(held).toMatchObject({ reason: "it is too long: open it in the mailbox", raw: null });
      expect(held?.text).toMatch(/^It begins so\.\nOne of very many lines\./u);
      const deep = answerTo(
        desk,
        `${"<div>".repeat(2_000)}Deep down${"</div>".repeat(2_000)}`,
        html,
      );
      expect(await desk.take(deep)).toMatchObject({ kind: "stored", state: "taken" });
      expect((await desk.replies()).at(-1)?.message).toBe("Deep down");
    });

    test("the head of a mail that is too large is held, with the place of the mail", async () => {
      const desk = await open();
      await desk.answer("Hello");
      await desk.sendDue();
      const head = Buffer.from(answerTo(desk, ""));
      expect(await takeMail(desk.writing, head, false)).toMatchObject({ state: "held" });
      const held = (await desk.mails()).at(-1);
      expect(held).toMatchObject({ reason: expect.stringContaining("too large"), raw: null });
      const decision = { ticket: desk.ticket.id, mail: held?.id ?? 0, accept: true };
      await expect(decideMail(desk.writing, decision)).rejects.toThrow("open it in the mailbox");
    });

    test("the 51st mail of a day waits for an agent", async () => {
      const desk = await open();
      await desk.answer("Hello");
      await desk.sendDue();
      for (let count = 0; count < 50; count += 1)
        await desk.take(answerTo(desk, `Number ${count}`));
      expect(await desk.take(answerTo(desk, "One more"))).toMatchObject({ state: "held" });
      desk.time.advance(86_401);
      expect(await desk.take(answerTo(desk, "The next day"))).toMatchObject({ state: "taken" });
    });

    test("mails to one ticket beyond a hundred a day leave only a line each", async () => {
      const desk = await open();
      await desk.answer("Hello");
      await desk.sendDue();
      const eve = { ...desk, address: "eve@evil.example" };
      for (let count = 0; count <= 100; count += 1) await desk.take(answerTo(eve, "Buy this"));
      expect(await desk.take(answerTo(desk, "And me?"))).toMatchObject({ state: "held" });
      const mails = await desk.mails();
      expect(mails.filter(({ raw }) => raw !== null)).toHaveLength(100);
      expect(mails.at(-1)).toMatchObject({
        text: "",
        quoted: "",
        raw: null,
        reason: "too many mails came today: open it in the mailbox",
      });
      desk.time.advance(86_401);
      expect(await desk.take(answerTo(desk, "The next day"))).toMatchObject({ state: "taken" });
    });

    test("the webhook accepts what is signed with its secret, and nothing else", async () => {
      const desk = await open();
      await desk.answer("Hello");
      await desk.sendDue();
      const body = answerTo(desk, "By webhook");
      const post = (signature: string): Promise<Response> =>
        Promise.resolve(
          desk.app.request("/ticketing/v1/mail", {
            method: "POST",
            body,
            headers: { "content-type": "message/rfc822", "x-hook-signature": signature },
          }),
        );
      const hmac = createHmac("sha256", secret).update(body).digest("hex");
      const wrong = await post(
        `sha256=${hmac.replace(/^./, (sign) => (sign === "0" ? "1" : "0"))}`,
      );
      expect([wrong.status, await wrong.json()]).toMatchObject([
        401,
        { message: "x-hook-signature: must be sha256= and the hex HMAC-SHA256 of the body" },
      ]);
      const taken = await post(`sha256=${hmac}`);
      expect([taken.status, await taken.json()]).toEqual([200, { state: "taken" }]);
      expect(await (await post(`sha256=${hmac}`)).json()).toEqual({ state: "known" });
      expect(await desk.replies()).toHaveLength(2);
    });

    test("the webhook reads no more of an endless body than a request may have", async () => {
      const desk = await open();
      let sent = 0;
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          sent += 1_048_576;
          if (sent > 40_000_000) controller.close();
          else controller.enqueue(new Uint8Array(1_048_576));
        },
      });
      const headers = { "content-type": "message/rfc822", "x-hook-signature": "sha256=00" };
      const init = { method: "POST", headers, body, duplex: "half" } as const;
      const request = new Request("http://localhost/ticketing/v1/mail", init);
      expect((await desk.app.request(request)).status).toBe(413);
      expect(sent).toBeLessThan(15_000_000);
    });
  });
}
