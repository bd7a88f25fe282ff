import type { ChatExcerpt } from "../../../api/chat/answers.ts";
import type { SearchTerms } from "../../../matching/searched-words.ts";
import { cutExcerpt, readExcerpts } from "../../storage/search-index.ts";
import type { BackendDatabase } from "../../storage/tables/database.ts";
import type { Caller } from "../caller.ts";
import type { ChatRow } from "./chat-rows.ts";
import { kindsFor } from "./list-chats.ts";

/** The data that a row of a list shows beside the chat itself. */
export interface ChatPreview {
  /** The name of its user. */
  readonly name: string;
  readonly excerpt: ChatExcerpt;
}

/**
 * Reads, by the number of each chat, its user's name and an excerpt: the text in which the terms
 * are found, or else the last message.
 */
export async function readPreviews(
  { kysely, dialect }: BackendDatabase,
  caller: Caller,
  rows: readonly ChatRow[],
  terms: SearchTerms,
): Promise<ReadonlyMap<number, ChatPreview>> {
  if (rows.length === 0) return new Map();
  const subjects = rows.map(({ number }) => number);
  const people = await kysely
    .selectFrom("chat_people")
    .select(["id", "name"])
    .where("id", "in", [...new Set(rows.map(({ creator }) => creator))])
    .execute();
  const names = new Map(people.map(({ id, name }) => [id, name]));
  const kinds = kindsFor(caller);
  const found = await readExcerpts(kysely, dialect, { kinds, subjects, terms });
  const last = await kysely
    .selectFrom("search_texts")
    .select(["subject", "text"])
    .where("id", "in", (latest) =>
      latest
        .selectFrom("search_texts")
        .select((of) => of.fn.max("id").as("id"))
        .where("kind", "=", "message")
        .where("subject", "in", subjects)
        .groupBy("subject"),
    )
    .execute();
  const words = new Map(last.map(({ subject, text }) => [subject, text]));
  return new Map(
    rows.map(({ number, creator }) => [
      number,
      {
        name: names.get(creator) ?? "",
        excerpt: found.get(number) ?? cutExcerpt(words.get(number) ?? "", []),
      },
    ]),
  );
}
