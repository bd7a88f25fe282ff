import type { ChatUser } from "../../../../api/chat/answers.ts";
import type { ChatUserChange } from "../../../../api/chat/schema.ts";
import { readMailAddress, readPersonName } from "../../../../locales/person.ts";
import { readField } from "../../../shared/fields.ts";
import { isRecord } from "../../state/events.ts";

/** Reads the typed values that are not saved, by field. */
export function editsIn(draft: string | undefined): ReadonlyMap<string, string> {
  const edits: unknown = draft === undefined ? {} : JSON.parse(draft);
  return new Map(
    Object.entries(isRecord(edits) ? edits : {}).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value] as const] : [],
    ),
  );
}

export function readForm(data: FormData): UserForm {
  const extra = [...data.keys()].filter((name) => name.startsWith("extra:"));
  return {
    name: readField(data, "name"),
    contact: readField(data, "contact"),
    externalId: readField(data, "externalId"),
    extra: Object.fromEntries(extra.map((name) => [name.slice(6), readField(data, name)])),
    newName: readField(data, "newName"),
    newValue: readField(data, "newValue"),
  };
}

/** A field of a user's further data as it can be edited. */
export interface ExtraField {
  readonly name: string;
  readonly text: string;
  /** False for lists and objects: those are shown and kept. */
  readonly plain: boolean;
}

export function listExtraFields({ extraInfo }: ChatUser): readonly ExtraField[] {
  return Object.entries(extraInfo).map(([name, value]) => {
    const text = toPlainText(value);
    return { name, text: text ?? JSON.stringify(value, null, 1), plain: text !== null };
  });
}

/** True for users a gateway finds by externalId and `conversation`: agents can't change them. */
export function isKeyed({ externalId, extraInfo }: ChatUser): boolean {
  const { conversation } = extraInfo;
  const named = typeof conversation === "string" && /^[0-9a-f]{64}$/.test(conversation);
  return named || externalId.startsWith("aw-");
}

/** The values of a form, by the names of its fields. */
interface UserForm {
  readonly name: string;
  readonly contact: string;
  readonly externalId: string;
  /** The plain ones among the fields of {@link listExtraFields}. */
  readonly extra: Readonly<Record<string, string>>;
  readonly newName: string;
  readonly newValue: string;
}

/** Finds the change that gives the user the form's values; null if there is none. */
export function changeOf(user: ChatUser, form: UserForm): ChatUserChange | null {
  const texts = (["name", "contact", "externalId"] as const).filter(
    (field) => form[field] !== user[field],
  );
  const extra = extraOf(user, form);
  const changed = JSON.stringify(extra) !== JSON.stringify(user.extraInfo);
  if (texts.length === 0 && !changed) return null;
  return {
    ...Object.fromEntries(texts.map((field) => [field, textReaders[field](form[field])])),
    ...(changed && { extraInfo: extra }),
  };
}

/** Read like readers' input, except that a contact need not be an e-mail address. */
const textReaders = {
  name: (typed: string) => readPersonName(typed) ?? typed,
  contact: (typed: string) => readMailAddress(typed) ?? typed.trim(),
  externalId: (typed: string) => typed,
} as const;

function extraOf(user: ChatUser, { extra, newName, newValue }: UserForm): Record<string, unknown> {
  const kept = Object.entries(user.extraInfo).map(([name, value]) => {
    const text = Object.hasOwn(extra, name) ? extra[name] : undefined;
    return [name, text === undefined ? value : likeBefore(value, text)] as const;
  });
  const added = newName.trim() === "" ? [] : [[newName.trim(), newValue] as const];
  return Object.fromEntries([...kept, ...added]);
}

/** The text of a value that a single line can hold, or null. */
function toPlainText(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return value === null || value === undefined ? "" : null;
}

/** A number stays a number, and a truth value stays one, if the text can be read as such. */
function likeBefore(value: unknown, text: string): unknown {
  if (toPlainText(value) === text) return value;
  const number = Number(text);
  if (typeof value === "number" && text.trim() !== "" && Number.isFinite(number)) return number;
  if (typeof value === "boolean" && /^(?:true|false)$/.test(text)) return text === "true";
  return text;
}
