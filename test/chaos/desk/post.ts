import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { MailServers } from "../../fixtures/mail-servers.ts";

/** A mail in the mailbox, and its expected outcome. */
export interface Posted {
  readonly id: string;
  readonly text: string;
  /**
   * `taken`: a reply of the person. `held`: an agent decides. `foreign`: without a ticket, so it
   * stays.
   */
  readonly due: "taken" | "held" | "foreign";
}

/**
 * Answers sent mails as their readers would: half of them, some twice under one Message-ID, some
 * from another address, some with an invented reference.
 */
export function answerMails(servers: MailServers, random: () => number, over: () => boolean) {
  const posted: Posted[] = [];
  const seen = new Set<string>();
  const deliver = async (due: Posted["due"], from: string, about: string): Promise<void> => {
    const id = `${randomUUID()}@reader.example`;
    const text = `mail ${posted.length + 1} of ${from}`;
    posted.push({ id, text, due });
    const mail = [
      `From: <${from}>`,
      "To: help@shop.example",
      `Message-ID: <${id}>`,
      `In-Reply-To: <${about}>`,
      "Subject: Re: your answer",
      "Content-Type: text/plain; charset=utf-8",
      "",
      text,
      "",
      "On Monday Shop wrote:",
      "> an answer",
      "",
    ].join("\n");
    await servers.deliver(mail);
    if (random() < 0.3) await servers.deliver(mail);
  };
  const work = (async () => {
    while (!over()) {
      for (const mail of servers.sent()) {
        const { id, to } = headOf(mail);
        if (seen.has(id)) continue;
        seen.add(id);
        const chance = random();
        if (chance < 0.5) await deliver("taken", to, id);
        else if (chance < 0.6) await deliver("held", "eve@evil.example", id);
        else if (chance < 0.7) {
          const forged = `aw-${"abcdefgh".repeat(4)}.abcdefgh@shop.example`;
          await deliver("foreign", to, forged);
        }
      }
      await sleep(500);
    }
  })();
  return { posted, work };
}

/** Message-ID and addressee of a mail, however its lines are folded. */
export function headOf(mail: string): { readonly id: string; readonly to: string } {
  const head = (mail.split(/\r?\n\r?\n/u)[0] ?? "").replaceAll(/\r?\n[ \t]+/gu, " ");
  const id = /^Message-ID:\s*<([^>]+)>/imu.exec(head)?.[1] ?? "";
  const to = /^To:.*?([^\s<>,]+@[^\s<>,]+)/imu.exec(head)?.[1] ?? "";
  return { id, to };
}
