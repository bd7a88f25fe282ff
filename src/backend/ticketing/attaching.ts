import { LIMITS } from "../../api/call/limits.ts";
import type { MediaReference } from "../../api/ticketing/answers.ts";
import { readIdentification } from "./identity.ts";
import type { Queries } from "../storage/tables/database.ts";
import { MEDIA_LIFETIME, refuseExpiredMedia } from "./media.ts";
import { Refusal, toPrintable } from "../http/refusal.ts";
import { Tokenizer } from "htmlparser2";

/**
 * Attaches media to a ticket, or to one of its replies. Within the transaction that creates it:
 * from then on the sweeper leaves the files alone, and a file that it took before is refused here,
 * so that never one is lost that was attached.
 *
 * @throws Refusal 422 for an identifier that is none, 410 for media that was deleted
 */
export async function attach(
  queries: Queries,
  project: string,
  identifiers: readonly string[],
  to: { readonly ticket: number; readonly reply: number | null; readonly now: number },
): Promise<void> {
  const ids = await idsOf(queries, project, new Set(identifiers));
  // In one order for all, so that two that attach the same files never wait for each other.
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

/** Numbers of files, ascending, each once: a file may be named by its number and by its UUID. */
async function idsOf(
  queries: Queries,
  project: string,
  identifiers: ReadonlySet<string>,
): Promise<readonly number[]> {
  if (identifiers.size === 0) return [];
  if (identifiers.size > LIMITS.attachments) {
    throw new Refusal(422, `attachments: has more than ${LIMITS.attachments} files`);
  }
  const named = [...identifiers].map((text) => ({ text, by: readIdentification(text) }));
  const ids = named.flatMap(({ by }) => (by?.column === "id" ? [by.value] : []));
  const uuids = named.flatMap(({ by }) => (by?.column === "hash_uuid" ? [by.value] : []));
  const rows = await queries
    .selectFrom("media")
    .select(["id", "hash_uuid"])
    .where("project", "=", project)
    .where((builder) =>
      // PostgreSQL has no empty list.
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
 * Identifiers of media that a text shows by `att:<media>` in the `src` of an image (seed.md 5.1),
 * each once. Of the tokenizer alone, which goes through a text once: the parser also keeps the
 * elements that are open, which costs the square of their depth.
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
