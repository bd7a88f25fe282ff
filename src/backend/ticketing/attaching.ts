import type { MediaReference } from "../../wire/ticketing/types.ts";
import { findId } from "./identity.ts";
import type { Queries } from "./identity.ts";
import { MEDIA_LIFETIME, mediaExpired } from "./media-lifetime.ts";
import { Refusal } from "../refusal.ts";
import { shown } from "../shown.ts";

const inline = /\batt:([0-9a-f-]{36}|\d{1,15})/gi;

/** Identifiers of media that a text shows by `att:<media>` in the `src` of an image (seed.md 5.1). */
export function inlineMedia(message: string): readonly string[] {
  const sources = [...message.matchAll(/<img\b[^>]*?\bsrc\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/gi)];
  return sources.flatMap(([, source = ""]) =>
    [...source.matchAll(inline)].map(([, identifier = ""]) => identifier.toLowerCase()),
  );
}

/**
 * Attaches media to a ticket, or to one of its replies. Within the transaction that creates it: from then on the sweeper
 * leaves the files alone, and a file that it took before is refused here, so that never one is lost that was attached.
 *
 * @throws Refusal 422 for an identifier that is none, 410 for media that was deleted
 */
export async function attach(
  queries: Queries,
  project: string,
  identifiers: readonly string[],
  to: { readonly ticket: number; readonly reply: number | null; readonly now: number },
): Promise<void> {
  const ids = new Set<number>();
  for (const identifier of identifiers) {
    const media = await findId(queries, "media", project, identifier);
    if (media === null) {
      throw new Refusal(422, `attachments: there is no media file ${shown(identifier)}`);
    }
    ids.add(media);
  }
  // In one order for all, so that two that attach the same files never wait for each other.
  for (const media of [...ids].toSorted((a, b) => a - b)) {
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
    if (kept === undefined) throw mediaExpired(media);
    await queries
      .insertInto("attachments")
      .values({ media, ticket: to.ticket, reply: to.reply })
      .execute();
  }
}

/** What hangs on a ticket itself (`reply` null) or on one of its replies. */
export async function attachmentsOf(
  queries: Queries,
  tickets: readonly number[],
): Promise<
  readonly (MediaReference & { readonly ticket: number; readonly reply: number | null })[]
> {
  if (tickets.length === 0) return [];
  return queries
    .selectFrom("attachments")
    .innerJoin("media", "media.id", "attachments.media")
    .select([
      "media.id",
      "media.hash_uuid",
      "media.name",
      "attachments.ticket",
      "attachments.reply",
    ])
    .where("attachments.ticket", "in", [...tickets])
    .orderBy("media.id")
    .execute();
}
