import { type Expression, expressionBuilder, sql, type SqlBool } from "kysely";
import type { OutputOf } from "../../../api/call/fields.ts";
import type { chatFilter } from "../../../api/chat/schema-lists.ts";
import { toStorable } from "../../../storage/storable.ts";
import { type Page, readPage } from "../../http/paging.ts";
import { Refusal } from "../../http/refusal.ts";
import {
  hasTextWith,
  isWithin,
  searchTermsOf,
  subjectsWith,
  weighTerms,
} from "../../storage/search-index.ts";
import type { BackendDatabase, Tables } from "../../storage/tables/database.ts";
import type { Caller } from "../caller.ts";
import type { ChatRequest } from "../request.ts";
import { type ChatRow, readChat } from "./chat-rows.ts";
import type { Phase } from "./machine.ts";
import { isVisibleTo } from "./visible.ts";

export type ChatListFilter = Omit<OutputOf<typeof chatFilter>, "person"> & {
  /** The users of the chat who are one person. Absent means everybody. */
  readonly creators?: readonly string[] | undefined;
};

const active: readonly Phase[] = ["created", "searching", "alone", "held"];
/** The phases of each status in requests. Both spellings of row 22 are accepted. */
const phases: ReadonlyMap<string, readonly Phase[]> = new Map<string, readonly Phase[]>([
  ["active", active],
  ["open", active],
  ["waiting", ["invited", "queued"]],
  ["closed", ["closed"]],
  // No agent has taken the chat, or its agent has not answered for too long.
  ["unattended", [...active, "invited", "queued"]],
]);

/** Lists chats that the caller may see, oldest first by default. Throws 404 and 422 for the filter. */
export async function listChats(
  request: ChatRequest,
  filter: ChatListFilter,
): Promise<Page<ChatRow>> {
  const { database } = request.options;
  const { person } = request.caller;
  const newest = filter.order === "newest";
  const searched = await createSearchConditions(database, request, filter);
  let query = database.kysely
    .selectFrom("chat_chats")
    .selectAll()
    .where("app", "=", request.app)
    .where((where) => where.and([...conditionsOf(filter), ...searched]));
  if (filter.after !== undefined) {
    const { number } = await readChat(database.kysely, request.app, toStorable(filter.after));
    query = query.where("number", newest ? "<" : ">", number);
  }
  const { creators } = filter;
  if (creators !== undefined) {
    query =
      creators.length === 0
        ? query.where(sql<SqlBool>`1 = 0`)
        : query.where("creator", "in", creators);
  }
  if (person !== null) query = query.where(isVisibleTo(person.id));
  return readPage(filter, (limit, offset) =>
    query
      .orderBy("number", newest ? "desc" : "asc")
      .limit(limit)
      .offset(offset)
      .execute(),
  );
}

function conditionsOf(filter: ChatListFilter): readonly Expression<SqlBool>[] {
  const chat = expressionBuilder<Tables, "chat_chats">();
  const { status, room, userId, externalId, agent, lang, reason } = filter;
  const conditions: Expression<SqlBool>[] = [...isWithin("chat_chats", filter)];
  if (status !== undefined) conditions.push(hasStatus(status.toLowerCase()));
  if (room !== undefined) conditions.push(chat("room", "=", toStorable(room)));
  if (externalId !== undefined) conditions.push(chat("external_id", "=", toStorable(externalId)));
  if (userId !== undefined) {
    const id = toStorable(userId);
    conditions.push(chat.or([chat("creator", "=", id), chat("holder", "=", id)]));
  }
  if (agent !== undefined) {
    const members = chat
      .selectFrom("chat_members")
      .select("chat")
      .where("person", "=", toStorable(agent))
      .where("kind", "=", "agent");
    conditions.push(chat("number", "in", members));
  }
  if (lang !== undefined) {
    const tag = toStorable(lang).toLowerCase();
    const own = sql<string>`lower(chat_chats.lang)`;
    conditions.push(sql`(${own} = ${tag} OR substr(${own}, 1, ${tag.length + 1}) = ${`${tag}-`})`);
  }
  if (reason !== undefined) {
    const why = toStorable(reason);
    conditions.push(chat.or([chat("reason", "=", why), chat("close_reason", "=", why)]));
  }
  return conditions;
}

function hasStatus(status: string): Expression<SqlBool> {
  const chat = expressionBuilder<Tables, "chat_chats">();
  const selection = phases.get(status);
  if (selection === undefined) {
    throw new Refusal(422, `status: must be among ${[...phases.keys()].join(", ")}`);
  }
  const inPhase = chat("phase", "in", [...selection]);
  if (status !== "unattended") return inPhase;
  return chat.and([
    inPhase,
    chat.or([chat("holder", "is", null), chat("unanswered", "is not", null)]),
  ]);
}

/** Requires every word of a search in the chat's messages, its notes, or its person. */
async function createSearchConditions(
  database: BackendDatabase,
  { caller }: { readonly caller: Caller },
  { search, reason }: ChatListFilter,
): Promise<readonly Expression<SqlBool>[]> {
  if (reason !== undefined && caller.person?.kind === "user") {
    throw new Refusal(403, "reason: users cannot see why chats were opened or closed.");
  }
  const terms = searchTermsOf(search);
  if (terms === null) return [];
  if (terms.length === 0) return [sql<SqlBool>`1 = 0`];
  const { dialect } = database;
  const kinds = kindsFor(caller);
  const all = await weighTerms(database, terms);
  const first = all.find(({ isCommon }) => !isCommon);
  return all.map((weighed) => {
    const isOfPerson = hasTextWith(dialect, ["person"], "chat_people.number", weighed);
    // The matches of a rare term are listed. A common term is looked up in each chat. SQLite would
    // look up each pair of numbers from two lists in an index, because the column is also the row
    // id. After a plus it uses no index.
    const isFilter = weighed !== first && dialect === "sqlite";
    const number = sql.raw(isFilter ? "+chat_chats.number" : "chat_chats.number");
    return weighed.isCommon
      ? sql<SqlBool>`(${hasTextWith(dialect, kinds, "chat_chats.number", weighed)} OR EXISTS (
          SELECT 1 FROM chat_people WHERE chat_people.id = chat_chats.creator AND ${isOfPerson}))`
      : sql<SqlBool>`${number} IN (${subjectsWith(dialect, kinds, weighed.term)} UNION
          SELECT theirs.number FROM chat_people
            JOIN chat_chats AS theirs ON theirs.creator = chat_people.id WHERE ${isOfPerson})`;
  });
}

/** The kinds of texts that the caller may search. */
export function kindsFor({ person }: Caller): readonly ["message"] | readonly ["message", "note"] {
  return person?.kind === "user" ? ["message"] : ["message", "note"];
}
