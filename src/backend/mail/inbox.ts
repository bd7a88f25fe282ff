import { ImapFlow } from "imapflow";
import { readServerAddress } from "./server-address.ts";
import type { Taken } from "./take-mail.ts";

export interface InboxOptions {
  /** `imaps://user:password@host:993`, with the folder as its path where it is not INBOX. */
  readonly address: string;
  /** Takes a mail; `whole` is false for the head of one that is too large. */
  readonly take: (source: Uint8Array, whole: boolean) => Promise<Taken>;
}

/** Bytes of a mail that is read; of a larger one only the head is. */
const MOST_BYTES = 26_214_400;

/** Milliseconds without a word of the server after which a round ends. */
const SILENCE = 30_000;

const PORTS = { secure: 993, plain: 143 };

/**
 * Reads what is unread in a mailbox, the oldest first. A mail is marked as read once it is stored,
 * so that one whose round is cut off comes again and is known then. Mails that name no ticket stay
 * unread: people may read the mailbox too.
 *
 * @returns goes through the mailbox once; throws when the server can't be reached
 */
export function createInboxReader({ address, take }: InboxOptions): () => Promise<void> {
  const { host, port, secure, isLocal, account, path } = readServerAddress(address, PORTS);
  /** Unread mails that name no ticket, so that each is fetched once by a process. */
  let left: ReadonlySet<string> = new Set();
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
      const foreign = new Set(uids.map(keyOf)).intersection(left);
      left = foreign;
      failed = new Set(uids.map(keyOf)).intersection(failed);
      const faults: unknown[] = [];
      for (const uid of uids) {
        if (foreign.has(keyOf(uid))) continue;
        const mail = await fetchOne(client, uid);
        if (mail === null) continue;
        const taken = await take(mail.source, mail.whole).catch((error: unknown) => {
          const isFirst = !failed.has(keyOf(uid));
          failed.add(keyOf(uid));
          // Mails are taken in order, unless one fails in every round: it keeps no other back.
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

/** Without marking it as read. Null for a mail that somebody deleted meanwhile. */
async function fetchOne(
  client: ImapFlow,
  uid: number,
): Promise<{ readonly source: Uint8Array; readonly whole: boolean } | null> {
  const found = await client.fetchOne(String(uid), { size: true }, { uid: true });
  if (found === false) return null;
  const whole = (found.size ?? 0) <= MOST_BYTES;
  const query = whole ? { source: true } : { headers: true };
  const mail = await client.fetchOne(String(uid), query, { uid: true });
  const source = mail === false ? undefined : whole ? mail.source : mail.headers;
  return source === undefined ? null : { source, whole };
}
