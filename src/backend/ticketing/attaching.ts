import { LIMITS } from "../../api/call/limits.ts";
import type { MediaReference } from "../../api/ticketing/answers.ts";
import { readIdentification } from "./identity.ts";
import type { Queries } from "../storage/tables/database.ts";
import { MEDIA_LIFETIME, refuseExpiredMedia } from "./media.ts";
import { Refusal, refuseFor, toPrintable } from "../http/refusal.ts";
import { Tokenizer } from "htmlparser2";

/**
 * Attaches media to a ticket or to one of its replies, within the transaction that creates it. The
 * sweeper does not delete attached files, and a file that it has deleted is refused here, so that no
 * attached file is ever lost.
 *
 * @throws Refusal 422 for an unknown identifier, 410 for deleted media
 */
export async function attach(
  queries: Queries,
  project: string,
  identifiers: readonly string[],
  to: { readonly ticket: number; readonly reply: number | null; readonly now: number },
): Promise<void> {
  const ids = await idsOf(queries, project, new Set(identifiers));
  // Every transaction updates files in this order, so that two with the same files cannot deadlock.
  for (const media of ids) {
    const kept = await queries
      .updateTable("media")
      .set((builder) => ({ attached: builder.fn.coalesce("attached", builder.val(to.now)) }))
      .where("id", "=", media)
      .where("data", "is not", null)
      .where((builder) =>
        builder.or([
          builder("attached", "is not", null),
          builder("created", ">", to.now - MEDIA_LIFETIME),
        ]),
      )
      .returning("id")
      .executeTakeFirst();
    if (kept === undefined) throw refuseExpiredMedia(media);
  }
  if (ids.length === 0) return;
  const { ticket, reply } = to;
  await queries
    .insertInto("attachments")
    .values(ids.map((media) => ({ media, ticket, reply })))
    .execute();
}

/** Finds the numbers of files, ascending and each once: a number and a UUID may name the same file. */
async function idsOf(
  queries: Queries,
  project: string,
  identifiers: ReadonlySet<string>,
): Promise<readonly number[]> {
  if (identifiers.size === 0) return [];
  if (identifiers.size > LIMITS.attachments) {
    throw refuseFor(422, "files", `attachments: has more than ${LIMITS.attachments} files`, {
      count: LIMITS.attachments,
    });
  }
  const named = [...identifiers].map((text) => ({ text, by: readIdentification(text) }));
  const ids = named.flatMap(({ by }) => (by?.column === "id" ? [by.value] : []));
  const uuids = named.flatMap(({ by }) => (by?.column === "hash_uuid" ? [by.value] : []));
  const rows = await queries
    .selectFrom("media")
    .select(["id", "hash_uuid"])
    .where("project", "=", project)
    .where((builder) =>
      // PostgreSQL rejects an empty list.
      builder.or([
        ...(ids.length === 0 ? [] : [builder("id", "in", ids)]),
        ...(uuids.length === 0 ? [] : [builder("hash_uuid", "in", uuids)]),
      ]),
    )
    .orderBy("id")
    .execute();
  const known = new Set<number | string>(rows.flatMap(({ id, hash_uuid }) => [id, hash_uuid]));
  const missing = named.find(({ by }) => by === null || !known.has(by.value));
  if (missing !== undefined) {
    throw new Refusal(422, `attachments: there is no media file ${toPrintable(missing.text)}`);
  }
  return rows.map(({ id }) => id);
}

/** Reads the attachments of a ticket itself (`reply` null) or of one of its replies. */
export async function attachmentsOf(
  queries: Queries,
  tickets: readonly number[],
): Promise<
  readonly (MediaReference &
    Readonly<Record<"type", string>> & {
      readonly ticket: number;
      readonly reply: number | null;
    })[]
> {
  if (tickets.length === 0) return [];
  return queries
    .selectFrom("attachments")
    .innerJoin("media", "media.id", "attachments.media")
    .select([
      "media.id",
      "media.hash_uuid",
      "media.name",
      "media.type",
      "attachments.ticket",
      "attachments.reply",
    ])
    .where("attachments.ticket", "in", [...tickets])
    .orderBy("media.id")
    .execute();
}

/**
 * Lists the identifiers of media that a text shows by `att:<media>` in the `src` of an image (seed.md
 * 5.1), each once. It uses only the tokenizer, which takes linear time: the parser also tracks open
 * elements, which takes quadratic time in their depth.
 */
export function inlineMedia(message: string): readonly string[] {
  const found = new Set<string>();
  let tag = "";
  let attribute = "";
  let value = "";
  /** The first of two attributes with one name counts. */
  let source: string | null = null;
  const endOfTag = (): void => {
    if (tag !== "img" || source === null) return;
    for (const [, identifier = ""] of source.matchAll(REFERENCE)) {
      found.add(identifier.toLowerCase());
    }
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(start, end) {
        tag = message.slice(start, end).toLowerCase();
        source = null;
      },
      onattribname(start, end) {
        attribute = message.slice(start, end).toLowerCase();
        value = "";
      },
      onattribdata(start, end) {
        if (tag === "img" && attribute === "src") value += message.slice(start, end);
      },
      onattribentity(code) {
        if (tag === "img" && attribute === "src") value += String.fromCodePoint(code);
      },
      onattribend() {
        if (attribute === "src") source ??= value;
      },
      onopentagend: endOfTag,
      onselfclosingtag: endOfTag,
      onclosetag: ignore,
      ontext: ignore,
      ontextentity: ignore,
      oncomment: ignore,
      oncdata: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: ignore,
    },
  );
  tokenizer.write(message);
  tokenizer.end();
  return [...found];
}

const REFERENCE = /\batt:([0-9a-f-]{36}|\d{1,15})/gi;

function ignore(): void {}
