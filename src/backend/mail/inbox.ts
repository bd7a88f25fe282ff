import { ImapFlow } from "imapflow";
import { readServerAddress } from "./server-address.ts";
import type { MailOutcome } from "./take-mail.ts";

export interface InboxOptions {
  /** `imaps://user:password@host:993`, with the folder as its path where it is not INBOX. */
  readonly address: string;
  /**
   * Takes a mail; `whole` is false when `source` has only the headers of a mail that is too large.
   */
  readonly take: (source: Uint8Array, whole: boolean) => Promise<MailOutcome>;
}

/** Bytes of the largest mail that is read. Only the headers of a larger one are read. */
const MAX_BYTES = 26_214_400;

/** A round ends after this many milliseconds without data from the server. */
const SILENCE = 30_000;

const PORTS = { secure: 993, plain: 143 };

/**
 * Creates a reader of the unread mails in a mailbox, oldest first. A mail is marked as read after
 * it is stored. If the connection breaks in between, the next round fetches the mail again and
 * recognizes it by its Message-ID. Mails that name no ticket stay unread, because people may read
 * the mailbox too.
 *
 * @returns a function that reads the mailbox once, and throws when the server can't be reached
 */
export function createInboxReader({ address, take }: InboxOptions): () => Promise<void> {
  const { host, port, secure, isLocal, account, path } = readServerAddress(address, PORTS);
  /** Unread mails that name no ticket. Each process fetches them once. */
  let unreferenced: ReadonlySet<string> = new Set();
  /** Unread mails that could not be stored. */
  let failed = new Set<string>();
  return async () => {
    const client = new ImapFlow({
      host,
      port,
      secure,
      ...(!secure && !isLocal && { doSTARTTLS: true }),
      auth: account ?? { user: "", pass: "" },
      socketTimeout: SILENCE,
      greetingTimeout: SILENCE,
      connectionTimeout: SILENCE,
      disableAutoIdle: true,
      logger: false,
    });
    // An error of the connection also rejects the command under way.
    client.on("error", () => undefined);
    try {
      await client.connect();
      const { uidValidity } = await client.mailboxOpen(path || "INBOX");
      const unread = await client.search({ seen: false }, { uid: true });
      const uids = unread === false || unread === undefined ? [] : unread;
      const keyOf = (uid: number): string => `${uidValidity} ${uid}`;
      const foreign = new Set(uids.map(keyOf)).intersection(unreferenced);
      unreferenced = foreign;
      failed = new Set(uids.map(keyOf)).intersection(failed);
      const faults: unknown[] = [];
      for (const uid of uids) {
        if (foreign.has(keyOf(uid))) continue;
        const mail = await fetchOne(client, uid);
        if (mail === null) continue;
        const taken = await take(mail.source, mail.whole).catch((error: unknown) => {
          const isFirst = !failed.has(keyOf(uid));
          failed.add(keyOf(uid));
          // The first failure ends the round, which keeps the order. A mail that fails again is
          // skipped, so that it does not block the others.
          if (isFirst) throw error;
          faults.push(error);
          return null;
        });
        if (taken === null) continue;
        if (taken.kind === "unreferenced") foreign.add(keyOf(uid));
        else await client.messageFlagsAdd(String(uid), [String.raw`\Seen`], { uid: true });
      }
      await client.logout();
      if (faults.length > 0) throw faults[0];
    } finally {
      client.close();
    }
  };
}

/** Fetches a mail without marking it as read; null if it was deleted in the meantime. */
async function fetchOne(
  client: ImapFlow,
  uid: number,
): Promise<{ readonly source: Uint8Array; readonly whole: boolean } | null> {
  const found = await client.fetchOne(String(uid), { size: true }, { uid: true });
  if (found === false) return null;
  const whole = (found.size ?? 0) <= MAX_BYTES;
  const query = whole ? { source: true } : { headers: true };
  const mail = await client.fetchOne(String(uid), query, { uid: true });
  const source = mail === false ? undefined : whole ? mail.source : mail.headers;
  return source === undefined ? null : { source, whole };
}
