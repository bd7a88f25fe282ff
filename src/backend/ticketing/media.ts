import { sql, type Selectable } from "kysely";
import { isAllowed, TICKETING_MEDIA_TYPES } from "../../config/schema/media-types.ts";
import { findFileKind, type FileKind, type ReadPiece } from "../http/files.ts";
import { toStorable } from "../../storage/storable.ts";
import type { BackendDatabase, Queries } from "../storage/tables/database.ts";
import type { MediaTable } from "../storage/tables/ticketing.ts";
import type { Media } from "../../api/ticketing/answers.ts";
import type { NewMedia } from "../../api/ticketing/schema.ts";
import type { TicketingOptions, WritingOptions } from "./context.ts";
import { toCreatedAnswer, idOf, uuidFrom } from "./identity.ts";
import { queueEvent } from "./outbox.ts";
import { Refusal, refuseFor } from "../http/refusal.ts";

/** The largest size of a file in bytes: 7 MB (seed.md 9). */
export const MEDIA_LIMIT = 7_340_032;

/** Stores a file. Throws 413 or 422. */
export async function storeMedia(
  options: TicketingOptions,
  project: string,
  { name, content }: NewMedia,
): Promise<object> {
  const data = readStrictBase64(content);
  if (data === null) throw new Refusal(422, "content: must be base64 (RFC 4648, 4)");
  const { id, hash } = await storeFile(options, project, name, data);
  return toCreatedAnswer(options.wire, id, hash);
}

interface StoredFile extends Pick<FileKind, "name" | "type"> {
  readonly id: number;
  readonly hash: string;
}

/** Stores the bytes of a file. Throws 413 or 422. */
export async function storeFile(
  options: WritingOptions,
  project: string,
  name: string,
  data: Uint8Array,
): Promise<StoredFile> {
  return options.database.durable((queries) => insertFile(queries, options, project, name, data));
}

/** Like {@link storeFile}, within a transaction. */
export async function insertFile(
  queries: Queries,
  { now, random, mediaTypes = TICKETING_MEDIA_TYPES }: WritingOptions,
  project: string,
  name: string,
  data: Uint8Array,
): Promise<StoredFile> {
  if (data.byteLength > MEDIA_LIMIT) throw refuseTooLarge();
  const kind = requireAcceptedKind(name, data, mediaTypes);
  const hash = uuidFrom(random(16));
  const { id } = await queries
    .insertInto("media")
    .values({
      project,
      hash_uuid: hash,
      name: toStorable(kind.name),
      type: kind.type,
      size: data.byteLength,
      data,
      attached: null,
      created: now(),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await queueEvent(queries, project, now(), { id, item: "media", action: "add", actor: 0 });
  return { id, hash, name: kind.name, type: kind.type };
}

/** Throws 422 unless a file's bytes match its name, and `mediaTypes` allows its type. */
function requireAcceptedKind(
  name: string,
  data: Uint8Array,
  mediaTypes: readonly string[],
): FileKind {
  const kind = findFileKind(name, "", data);
  const { extension } = kind;
  if (extension === "" || kind.name === `.${extension}`) {
    throw new Refusal(422, "name: must end in an extension, such as photo.jpg");
  }
  if (!isAllowed(mediaTypes, kind)) {
    throw refuseFor(
      422,
      "file-type",
      `name: files of the kind .${extension} are not accepted; these are: ${mediaTypes.join(", ")}`,
      { types: mediaTypes.join(", ") },
    );
  }
  if (!kind.genuine) throw refuseFor(422, "file", `content: is not a .${extension} file`);
  return kind;
}

/** Reads a file's row. Throws 404, or 410 for a file that is deleted or due for deletion. */
export async function readMedia(
  { database, now }: Pick<TicketingOptions, "database" | "now">,
  project: string,
  identifier: string,
): Promise<Media> {
  const id = await idOf(database.kysely, "media", project, identifier);
  const row = await database.kysely
    .selectFrom("media")
    .select(["id", "hash_uuid", "name", "type", "size", "created", "attached"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  if (isExpired(row, now())) throw refuseExpiredMedia(toShownId(identifier, row));
  return {
    id: row.id,
    hash_uuid: row.hash_uuid,
    name: row.name,
    type: row.type,
    size: row.size,
    created: Math.floor(row.created / 1000),
    attached: row.attached !== null,
  };
}

/** Creates a reader of a file's bytes. It throws 410. */
export function createFileReader(
  { database }: Pick<TicketingOptions, "database">,
  { id, hash_uuid: hash }: Pick<Media, "id" | "hash_uuid">,
): ReadPiece {
  return async (from, length) => {
    const query = database.kysely.selectFrom("media").where("id", "=", id);
    const row = await query.select(selectPiece(from, length)).executeTakeFirst();
    if (row?.piece === undefined || row.piece === null) throw refuseExpiredMedia(hash);
    return row.piece;
  };
}

/** Selects `piece`: at most `length` bytes of the column `data`; null for a deleted file. */
export function selectPiece(from: number, length: number) {
  const [start, most] = [sql`cast(${from + 1} as integer)`, sql`cast(${length} as integer)`];
  return sql<Uint8Array | null>`substr(data, ${start}, ${most})`.as("piece");
}

/** Deletes files that were not attached in time. Their rows stay, so that answers can give the reason. */
export async function sweepMedia(database: BackendDatabase, now: number): Promise<void> {
  await database.kysely
    .updateTable("media")
    .set({ data: null })
    .where("attached", "is", null)
    .where("data", "is not", null)
    .where("created", "<=", now - MEDIA_LIFETIME)
    .execute();
}

function isExpired(
  row: Pick<Selectable<MediaTable>, "attached" | "created">,
  now: number,
): boolean {
  return row.attached === null && row.created <= now - MEDIA_LIFETIME;
}

function toShownId(
  identifier: string,
  row: { readonly id: number; readonly hash_uuid: string },
): string {
  return identifier.includes("-") ? row.hash_uuid : String(row.id);
}

function refuseTooLarge(): Refusal {
  return new Refusal(413, `content: the file is larger than ${MEDIA_LIMIT} bytes`);
}

/** Milliseconds until an unattached file is deleted (seed.md 5.3). */
export const MEDIA_LIFETIME = 3_600_000;

/** Makes the error for media that was not attached in time. */
export function refuseExpiredMedia(id: number | string): Refusal {
  return refuseFor(
    410,
    "expired",
    `Media file ${id} was not attached within one hour of its upload and is deleted: upload it again.`,
  );
}

/**
 * Decodes base64 (RFC 4648, 4; padding optional; line breaks of RFC 2045), also in a `data:` URL of a
 * browser's FileReader (RFC 2397), whose type is ignored. Returns null for anything else.
 */
export function readStrictBase64(text: string): Uint8Array<ArrayBuffer> | null {
  const letters = text.replace(/^data:[^,]{0,200};base64,/i, "").replaceAll(/[\r\n]+/g, "");
  const [plain = "", padding = ""] = /^([A-Za-z0-9+/]*)(={0,2})$/.exec(letters)?.slice(1) ?? [];
  if (plain.length + padding.length !== letters.length) return null;
  const spare = plain.length % 4;
  // One leftover letter cannot make a byte. Padding either completes four letters or is missing.
  if (spare === 1 || (padding !== "" && padding.length !== 4 - spare)) return null;
  const decoded = atob(plain);
  const bytes = new Uint8Array(decoded.length);
  for (let index = 0; index < decoded.length; index += 1) bytes[index] = decoded.charCodeAt(index);
  if (spare === 0) return bytes;
  const tail = btoa(decoded.slice(-(spare - 1)));
  return plain.endsWith(tail.slice(0, spare)) ? bytes : null;
}
