import type { ChatMedia } from "../../../api/chat/answers.ts";
import { isAllowed } from "../../../config/schema/media-types.ts";
import { findFileKind } from "../../http/files.ts";
import { Refusal, refuseFor } from "../../http/refusal.ts";
import { toStorable } from "../../../storage/storable.ts";
import { MEDIA_LIMIT } from "../../ticketing/media.ts";
import { createId } from "../ids.ts";
import { toMediaMessage, mediaColumns, toMedia } from "./media-rows.ts";
import { requireIn } from "./members.ts";
import { lockOpenChat, storeMessage } from "./messages.ts";
import { cellOf } from "./move.ts";
import type { ChatOptions } from "../options.ts";
import { readSettings } from "../settings.ts";

/** A file that a person sends. */
export interface ChatUpload {
  readonly name: string;
  /** The type that the client declares; empty for none. */
  readonly type: string;
  readonly data: Uint8Array;
  /** Its chat and sender; null if there is no chat yet, so it is kept for an hour. */
  readonly to: { readonly chat: string; readonly sender: string } | null;
}

/** Stores a file and posts it in its chat. Throws 403 for its type, 404, 409, 413, 422. */
export async function storeMedia(
  options: ChatOptions,
  app: string,
  { name, type, data, to }: ChatUpload,
): Promise<ChatMedia> {
  const { database, now, random } = options;
  const kind = findFileKind(name, type, data);
  const { allowedMediaTypes } = await readSettings(database.kysely, app);
  if (!isAllowed(allowedMediaTypes, kind)) {
    // Clients compare this text.
    throw refuseFor(403, "file-type", "File type is not allowed", {
      types: allowedMediaTypes.join(", "),
    });
  }
  if (data.byteLength === 0) throw refuseFor(422, "file", "media: the file is empty");
  if (data.byteLength > MEDIA_LIMIT) {
    throw new Refusal(413, `media: the file is larger than ${MEDIA_LIMIT} bytes`);
  }
  if (!kind.genuine) throw refuseFor(403, "file", `media: is not a .${kind.extension} file`);
  return database.durable(async (queries) => {
    const inside = to === null ? null : await lockOpenChat(queries, options, app, to.chat);
    if (inside !== null && to !== null) {
      cellOf(inside.chat, "message");
      await requireIn(queries, inside.chat, to.sender);
    }
    const row = await queries
      .insertInto("chat_media")
      .values({
        id: createId(random),
        app,
        created: now(),
        name: toStorable(kind.name),
        type: kind.type,
        size: data.byteLength,
        data,
        chat: inside?.chat.number ?? null,
      })
      .returning(mediaColumns)
      .executeTakeFirstOrThrow();
    if (inside !== null && to !== null) {
      const content = toMediaMessage(row);
      await storeMessage(inside.context, options, inside.chat, {
        sender: to.sender,
        type: "media",
        content,
      });
    }
    return toMedia(row);
  });
}
