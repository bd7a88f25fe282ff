/** A file as the chat takes it: multipart with `chatId`, `senderId` and the file as `media`. */
export function uploadForm(
  file: { readonly name: string; readonly bytes: Uint8Array; readonly type?: string },
  to?: { readonly chatId: string; readonly senderId?: string },
): FormData {
  const form = new FormData();
  if (to !== undefined) form.set("chatId", to.chatId);
  if (to?.senderId !== undefined) form.set("senderId", to.senderId);
  const type = file.type === undefined ? {} : { type: file.type };
  form.set("media", new Blob([Uint8Array.from(file.bytes)], type), file.name);
  return form;
}
