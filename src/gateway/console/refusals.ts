import { fillPlaces } from "../../text.ts";
import { type Refusal, refuseWith } from "./answer.ts";

/**
 * The refusals that the page explains in its own language, with the texts `refused-<name>` in
 * `locales/pages/`. Programs read the English sentence.
 */
const REFUSALS = {
  role: [403, "Your token ({label}) may not do this."],
  language: [403, "Your token ({label}) may change {languages}, not {language}."],
  "other-instances": [403, "{file} has texts of instances that your token does not cover."],
  "all-instances": [
    403,
    "All instances use these contents, and your token does not cover all of them.",
  ],
  "read-only": [
    403,
    "The console is read-only, because the configuration says console: { edit: false }. Change the texts in their files.",
  ],
  "no-content": [404, "There is no content {id} in {language}."],
  "no-publication": [404, "There is no such publication."],
  "demo-contents": [
    409,
    "The demo shop's contents come with Afterword, and can't be changed. `{command}` makes files of your own.",
  ],
  "broken-contents": [
    409,
    "The contents have errors, so no question can be tried. Correct the contents first.",
  ],
  "content-deleted": [
    409,
    "Content {id} in {language} was deleted after you had read it. To put it back, send all its fields without `seen`. Nothing was written.",
  ],
  "in-database": [
    409,
    "This content is only in the backend's database, not in a file. Change it with `afterword backend import`.",
  ],
  changed: [409, "{file} was changed after you had read it. Read it again. Nothing was written."],
  busy: [409, "Somebody else is publishing. Try again in a moment. Nothing was written."],
  reviewed: [
    409,
    "The text is no longer the one that you reviewed. Read it again. Nothing was recorded.",
  ],
  "too-large": [413, "The body is larger than {bytes} bytes."],
  empty: [422, "Send the text as `text`. It may not be empty."],
  "nothing-drafted": [422, "Your draft has no changes."],
  "nothing-new": [422, "There is nothing to publish: the files say this already."],
  unchecked: [422, "Nothing was published. {first}"],
  "not-taken": [422, "Nothing was imported. {why}"],
  "too-long": [422, "A text has at most {most} characters."],
  unstorable: [422, "A text can't contain the character U+0000 or half of a surrogate pair."],
  "no-credentials": [
    422,
    "There are no credentials to log in with. Give the instance `{setting}` in the configuration.",
  ],
  "not-in-force": [503, "The changed files could not be loaded, so they are as before: {why}"],
  unwritten: [503, "Nothing was written: {why}"],
  "disk-full": [503, "Nothing was written: {why}"],
  store: [503, "{why}"],
} as const;

export type RefusalName = keyof typeof REFUSALS;
export type RefusalParams = Readonly<Record<string, string | number>>;

/** @param more further members beside the message */
export function refuseBy(
  name: RefusalName,
  params: RefusalParams = {},
  more?: Readonly<Record<string, unknown>>,
): Refusal {
  const [status, sentence] = REFUSALS[name];
  return { ...refuseWith(status, fillPlaces(sentence, params), more), reason: name, params };
}

/** Creates the refusal that says why a file could not be written. */
export function refuseUnwritten({ code, file, why }: UnwrittenFile): Refusal {
  return refuseBy(FULL.has(code) ? "disk-full" : "unwritten", { code, file, why });
}

/** Names a file that could not be written by its path below the configuration's folder. */
export function toUnwrittenFile(
  {
    code,
    file,
    message,
  }: { readonly code: string; readonly file: string; readonly message: string },
  folder: string,
): UnwrittenFile {
  const shorten = (text: string): string => text.replaceAll(`${folder}/`, "");
  return { code, file: shorten(file), why: shorten(message) };
}

export interface UnwrittenFile {
  /** The operating system's code, such as `EACCES`. */
  readonly code: string;
  readonly file: string;
  readonly why: string;
}

/** The operating system's codes for a full disk, an exceeded quota or a file that is too large. */
const FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
