import type { ChatUser, ChatUserChange } from "../../../api/chat/types.ts";

/** A field of a user's further data as it can be edited. */
export interface ExtraField {
  readonly name: string;
  readonly text: string;
  /** False for lists and objects: those are shown and kept. */
  readonly plain: boolean;
}

export function extraFields({ extraInfo }: ChatUser): readonly ExtraField[] {
  return Object.entries(extraInfo).map(([name, value]) => {
    const text = plainText(value);
    return { name, text: text ?? JSON.stringify(value, null, 1), plain: text !== null };
  });
}

/**
 * True where a gateway finds this user again by the externalId and the field `conversation`: the
 * service lets no agent change them.
 */
export function isKeyed({ externalId, extraInfo }: ChatUser): boolean {
  const { conversation } = extraInfo;
  const named = typeof conversation === "string" && /^[0-9a-f]{64}$/.test(conversation);
  return named || externalId.startsWith("aw-");
}

/** What a form says, by the names of its fields. */
export interface UserForm {
  readonly name: string;
  readonly contact: string;
  readonly externalId: string;
  /** Of the fields in {@link extraFields} that are plain. */
  readonly extra: Readonly<Record<string, string>>;
  readonly newName: string;
  readonly newValue: string;
}

/** What has to be sent so that the user becomes what the form says; null where that is nothing. */
export function changeOf(user: ChatUser, form: UserForm): ChatUserChange | null {
  const texts = (["name", "contact", "externalId"] as const).filter(
    (field) => form[field] !== user[field],
  );
  const extra = extraOf(user, form);
  const changed = JSON.stringify(extra) !== JSON.stringify(user.extraInfo);
  if (texts.length === 0 && !changed) return null;
  return {
    ...Object.fromEntries(texts.map((field) => [field, form[field]])),
    ...(changed && { extraInfo: extra }),
  };
}

function extraOf(user: ChatUser, { extra, newName, newValue }: UserForm): Record<string, unknown> {
  const kept = Object.entries(user.extraInfo).map(([name, value]) => {
    const text = Object.hasOwn(extra, name) ? extra[name] : undefined;
    return [name, text === undefined ? value : likeBefore(value, text)] as const;
  });
  const added = newName.trim() === "" ? [] : [[newName.trim(), newValue] as const];
  return Object.fromEntries([...kept, ...added]);
}

/** The text of a value that a single line can hold, or null. */
function plainText(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return value === null || value === undefined ? "" : null;
}

/** A number stays a number and a truth value one, as long as it reads like it. */
function likeBefore(value: unknown, text: string): unknown {
  if (plainText(value) === text) return value;
  const number = Number(text);
  if (typeof value === "number" && text.trim() !== "" && Number.isFinite(number)) return number;
  if (typeof value === "boolean" && /^(?:true|false)$/.test(text)) return text === "true";
  return text;
}
