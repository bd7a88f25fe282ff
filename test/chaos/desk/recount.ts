import type { Written } from "./clerk.ts";
import { headOf, type Posted } from "./post.ts";
import type { Row, Sql } from "./truth.ts";

/** One line of the table: the subject, its count, and its faults. */
export interface Count {
  readonly what: string;
  readonly looked: number;
  readonly violations: readonly string[];
}

export interface Ledger {
  /** The texts of agents and readers, with the service's answers. */
  readonly written: readonly Written[];
  readonly posted: readonly Posted[];
  /** The mails that the SMTP server received. */
  readonly sent: readonly string[];
}

/** Counts everything once more from the database alone, after nothing changes any more. */
export function recount(sql: Sql, ledger: Ledger): readonly Count[] {
  return [
    countReaders(sql),
    ...(["message", "answer", "reply", "note"] as const).map((kind) =>
      countWritten(sql, kind, ledger.written),
    ),
    countSent(sql, ledger.sent),
    countArrived(sql, ledger.posted),
  ];
}

/** Counts chats with an unanswered reader and without an agent, an entry in a list, or a ticket. */
function countReaders(sql: Sql): Count {
  const chats = sql.rows(`
    SELECT c.id, c.external_id, c.phase, c.holder, c.closed_by, c.close_reason, c.creator, c.unanswered,
      (SELECT sender FROM chat_messages m WHERE m.chat = c.number AND m.imported = 0
        ORDER BY m.number DESC LIMIT 1) AS last,
      (SELECT count(*) FROM chat_messages m WHERE m.chat = c.number AND m.imported = 0
        AND m.sender <> c.creator) AS answers,
      (SELECT count(*) FROM tickets t WHERE t.external_id = c.external_id OR t.chat = c.id) AS tickets,
      (SELECT online FROM chat_agents a WHERE a.id = c.holder) AS online
    FROM chat_chats c ORDER BY c.number`);
  const violations = chats.flatMap((chat) => {
    const isAnswered = Number(chat["answers"]) > 0 && chat["last"] !== chat["creator"];
    if (isAnswered || Number(chat["tickets"]) > 0) return [];
    if (chat["phase"] !== "closed") return isVisible(chat) ? [] : [forgotten(chat)];
    return isMeant(chat) ? [] : [forgotten(chat)];
  });
  return { what: "readers whose words were last", looked: chats.length, violations };
}

function forgotten(chat: Row): string {
  const { id, phase, holder, closed_by: by, close_reason: reason } = chat;
  return `chat ${String(id)} is ${String(phase)} (agent ${String(holder)}, closed by ${String(by)}, reason ${String(reason)}): nobody answers, and there is no ticket`;
}

/** The desk lists chats without an agent, and those that their agent has not answered for long. */
function isVisible({ phase, online, unanswered }: Row): boolean {
  return phase !== "held" || online === 1 || unanswered !== null;
}

/** The reader closed it, or an agent who had answered or gave a reason. */
function isMeant({ closed_by: by, creator, close_reason: reason, answers }: Row): boolean {
  if (by === creator) return true;
  return by !== "system" && (reason !== null || Number(answers) > 0);
}

/**
 * Checks that people's texts are stored once if they were acknowledged, and never if they were
 * refused.
 */
function countWritten(sql: Sql, kind: Written["kind"], all: readonly Written[]): Count {
  const stored = sql
    .rows(QUERIES[kind])
    .map(({ text }) => plainOf(String(text)))
    .filter((text) => text.startsWith(`${kind} `));
  const times = countEach(stored);
  const own = all.filter((one) => one.kind === kind);
  const known = new Set(own.map(({ text }) => text));
  const violations = [
    ...own.flatMap(({ text, state }) => {
      const found = times.get(text) ?? 0;
      const isRight = state === "open" ? found <= 1 : found === Number(state === "stored");
      return isRight ? [] : [`“${text}” was ${state}, and is there ${found} times`];
    }),
    ...stored.filter((text) => !known.has(text)).map((text) => `nobody wrote “${text}”`),
  ];
  return { what: NAMES[kind], looked: own.length, violations };
}

const NAMES = {
  message: "agents' messages",
  answer: "answers to tickets",
  reply: "replies while merging",
  note: "notes",
} as const;

const QUERIES = {
  message:
    "SELECT json_extract(message, '$') AS text FROM chat_messages WHERE type = 'text' AND imported = 0",
  answer: "SELECT message AS text FROM replies WHERE type = 'answer'",
  reply: "SELECT message AS text FROM replies WHERE type = 'reply'",
  note: "SELECT message AS text FROM ticket_notes",
} as const;

/** Checks the mails of answers: one row each, and in the mailbox as often as the row says. */
function countSent(sql: Sql, sent: readonly string[]): Count {
  const violations = sql
    .rows(
      `SELECT r.message FROM replies r JOIN tickets t ON t.id = r.ticket JOIN users u ON u.id = t.creator
       WHERE r.type = 'answer' AND u.address LIKE '%@%' AND u.address NOT LIKE '%.invalid'
       AND (SELECT count(*) FROM mails m WHERE m.reply = r.id) <> 1`,
    )
    .map(({ message }) => `the answer “${plainOf(String(message))}” has not exactly one mail`);
  const arrived = countEach(sent.map((mail) => headOf(mail).id));
  const rows = sql.rows("SELECT message_id, state, text FROM mails WHERE direction = 'out'");
  for (const { message_id: id, state, text } of rows) {
    const found = arrived.get(String(id)) ?? 0;
    const isRight = state === "doubtful" ? found <= 1 : state === "sent" && found === 1;
    if (!isRight) {
      violations.push(`“${plainOf(String(text))}” is ${String(state)}, and arrived ${found} times`);
    }
    arrived.delete(String(id));
  }
  for (const id of arrived.keys()) violations.push(`nobody sent ${id}`);
  return { what: "mails that left", looked: rows.length, violations };
}

/** Checks the received mails: stored once each, and each reply once. */
function countArrived(sql: Sql, posted: readonly Posted[]): Count {
  const rows = sql.rows(
    "SELECT m.message_id, m.state, r.message FROM mails m LEFT JOIN replies r ON r.id = m.reply WHERE m.direction = 'in'",
  );
  const replies = countEach(
    sql.rows("SELECT message FROM replies").map(({ message }) => plainOf(String(message))),
  );
  const violations = posted.flatMap(({ id, text, due }) => {
    const found = rows.filter(({ message_id: one }) => one === id);
    const states = found.map(({ state }) => state).join();
    const isRight =
      (due === "foreign" ? states === "" : states === due) &&
      (replies.get(text) ?? 0) === Number(due === "taken");
    return isRight
      ? []
      : [`“${text}” is due as ${due}, is “${states}”, and a reply ${replies.get(text) ?? 0} times`];
  });
  return { what: "mails that came", looked: posted.length, violations };
}

function countEach(texts: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1);
  return times;
}

/** A text as people read it. */
function plainOf(html: string): string {
  return html.replaceAll(/<[^>]*>/gu, "").trim();
}

/** Describes the unfinished work in sentences; the day is over when there is none. */
export function underWay(sql: Sql, posted: readonly Posted[]): readonly string[] {
  const mails = sql.rows(
    "SELECT count(*) AS n FROM mails WHERE direction = 'out' AND state IN ('queued', 'sending')",
  );
  const came = new Set(
    sql.rows("SELECT message_id FROM mails WHERE direction = 'in'").map((row) => row["message_id"]),
  );
  const late = posted.filter(({ id, due }) => due !== "foreign" && !came.has(id));
  const queued = Number(mails[0]?.["n"]);
  const { violations } = countReaders(sql);
  return [
    ...(queued > 0 ? [`${queued} mails to be sent`] : []),
    ...(late.length > 0 ? [`${late.length} mails to be read`] : []),
    ...violations,
  ];
}
