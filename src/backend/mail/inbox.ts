import { ImapFlow } from "imapflow";
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

/**
 * Reads what is unread in a mailbox, the oldest first. A mail is marked as read once it is stored,
 * so that one whose round is cut off comes again and is known then. Mails that name no ticket stay
 * unread: people may read the mailbox too.
 *
 * @returns goes through the mailbox once; throws when the server can't be reached
 */
export function createInboxReader({ address, take }: InboxOptions): () => Promise<void> {
  const { protocol, hostname, port, username, password, pathname } = new URL(address);
  const folder = decodeURIComponent(pathname.slice(1)) || "INBOX";
  const secure = protocol === "imaps:";
  const local = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  /** Mails that name no ticket, so that each is fetched once by a process. */
  const left = new Set<string>();
  return async () => {
    const client = new ImapFlow({
      host: hostname.replaceAll(/[[\]]/g, ""),
      port: port === "" ? (secure ? 993 : 143) : Number(port),
      secure,
      ...(!secure && !local && { doSTARTTLS: true }),
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
      socketTimeout: SILENCE,
      greetingTimeout: SILENCE,
      connectionTimeout: SILENCE,
      disableAutoIdle: true,
      logger: false,
    });
    // What breaks the connection also rejects the command under way.
    client.on("error", () => undefined);
    try {
      await client.connect();
      const { uidValidity } = await client.mailboxOpen(folder);
      const unread = await client.search({ seen: false }, { uid: true });
      for (const uid of unread === false || unread === undefined ? [] : unread) {
        const known = `${uidValidity} ${uid}`;
        if (left.has(known)) continue;
        const mail = await fetchOne(client, uid);
        if (mail === null) continue;
        const taken = await take(mail.source, mail.whole);
        if (taken.kind === "unreferenced") left.add(known);
        else await client.messageFlagsAdd(String(uid), [String.raw`\Seen`], { uid: true });
      }
      await client.logout();
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
