import { mayChange, refuseLanguage } from "./access.ts";
import { type ConsoleAnswer, refuseWith, answerValue } from "./answer.ts";
import { refuseBy } from "./refusals.ts";
import {
  type Call,
  INSTANCE,
  instanceOf,
  isLine,
  noInstance,
  refuseMissingLine,
  type ConsoleOperation,
  textIn,
  textsIn,
} from "./operation.ts";
import type { DraftAddress, Editing, PublicationRequest } from "./files.ts";
import { readReviewable, reviewsOf } from "./texts.ts";

const PLACE = {
  ...INSTANCE,
  channel: "Default: the text for every channel.",
  id: "A condition's, a variant's or a plural's text, as `places` name it; a new one too.",
};

const WISH = {
  note: "What the history says of it.",
  files: {
    type: "object",
    description: "Hashes of the files as you saw them. A changed file is answered with 409.",
  },
  warnings: { type: "boolean", description: "true: in spite of warnings." },
};

/** Changing texts: the draft of each label, publications, and the history. */
export const DRAFT_OPERATIONS: readonly ConsoleOperation[] = [
  {
    method: "get",
    path: "draft",
    needs: "edit",
    summary: "Your changes that are not published: the texts, the diff, and what the check says.",
    answer: withEditing(async (files, { grant }) => answerValue((await files.draft(grant)).draft)),
  },
  {
    method: "put",
    path: "draft/{locale}/{key}",
    needs: "edit",
    summary: "Puts a text into your draft; answers with the draft.",
    body: {
      ...PLACE,
      text: "What is to be said. Null: the text that `id` names goes; without, the whole line, and Afterword speaks.",
    },
    answer: withEditing((files, call) => {
      const { body, grant } = call;
      const text = body["text"];
      if (text !== null && (typeof text !== "string" || text.trim() === "")) {
        return refuseBy("empty");
      }
      if (text !== null && text.length > maxTextLength)
        return refuseBy("too-long", { most: maxTextLength });
      const readGiven = (name: string): string | null => textIn(body, name);
      const address = draftAddressOf(call, readGiven);
      const instance = instanceOf(call, address?.instance ?? null);
      if (address === null || instance === null) return noInstance;
      const { key, locale } = address;
      if (!isLine(call.snapshot, instance, locale, key)) return refuseMissingLine(locale, key);
      return mayChange(grant, address.locale)
        ? files.put(grant, text === null ? { ...address, channel: "" } : address, text)
        : refuseLanguage(grant, address.locale);
    }),
  },
  {
    method: "post",
    path: "translations",
    needs: "edit",
    summary: "Puts the texts of a translator's file that differ from what is said into your draft.",
    body: { ...INSTANCE, text: "The file: CSV or XLIFF 1.2.", name: "As findings call the file." },
    answer: withEditing((files, call) => {
      const instance = instanceOf(call, textIn(call.body, "instance"));
      if (instance === null) return noInstance;
      const text = textIn(call.body, "text");
      if (text === null) return refuseWith(422, "Send the file, CSV or XLIFF, as `text`.");
      const name = textIn(call.body, "name")?.slice(0, 200) ?? "import";
      return files.importTexts(call.grant, { instance: instance.name, name, text });
    }),
  },
  {
    method: "delete",
    path: "draft/{locale}/{key}",
    needs: "edit",
    summary: "Takes a change out of your draft; answers with the draft.",
    query: PLACE,
    answer: withEditing((files, call) => {
      const address = draftAddressOf(call, (name) => call.query.get(name));
      return address === null ? noInstance : files.removeChange(call.grant, address);
    }),
  },
  {
    method: "put",
    path: "reviews/{locale}/{key}",
    needs: "edit",
    summary: "Says that you have read a line and found it right.",
    body: { ...INSTANCE, hash: "Of what you have read, as the line's details have it." },
    answer: withEditing((files, call) => review(files, call, textIn(call.body, "instance"), true)),
  },
  {
    method: "delete",
    path: "reviews/{locale}/{key}",
    needs: "edit",
    summary: "Takes that back, whoever said so.",
    query: INSTANCE,
    answer: withEditing((files, call) => review(files, call, call.query.get("instance"), false)),
  },
  {
    method: "delete",
    path: "draft",
    needs: "edit",
    summary: "Throws your draft away.",
    answer: withEditing((files, { grant }) => files.discard(grant)),
  },
  {
    method: "post",
    path: "draft/rebase",
    needs: "edit",
    summary: "Keeps your changes, and takes files that others have changed as they are now.",
    body: {
      files: {
        type: "object",
        description: "Its names are the files. Default: all of your draft.",
      },
    },
    answer: withEditing((files, { body, grant }) =>
      files.rebase(grant, Object.keys(textsIn(body["files"]))),
    ),
  },
  {
    method: "post",
    path: "draft/publish",
    needs: "publish",
    summary:
      "Writes your draft into the files and puts it in force, whole or not at all. Where files cannot be written it answers with a patch.",
    body: WISH,
    answer: withEditing((files, { body, grant }) => files.publish(grant, publicationIn(body))),
  },
  {
    method: "get",
    path: "history",
    needs: "view",
    summary: "The latest publications: who, when, why, and what they changed.",
    answer: withReading(async (files, { grant }) =>
      answerValue({ history: await files.history(grant) }),
    ),
  },
  {
    method: "post",
    path: "history/{id}/restore",
    needs: "publish",
    summary: "Publishes the texts from before a publication.",
    body: WISH,
    answer: withEditing((files, { body, grant, path }) =>
      files.restore(grant, Number(path["id"]), publicationIn(body)),
    ),
  },
  {
    method: "get",
    path: "audit",
    needs: "admin",
    summary: "The latest 500 writes of the console: who, when and what.",
    answer: withReading(async (files) => answerValue({ audit: await files.audit() })),
  },
];

/** In UTF-16 units: half of what a file may hold. */
const maxTextLength = 524_288;

const nothingToChange =
  "The configuration did not come from files: there is nothing to change. On Workers, bind a KV namespace as AFTERWORD_TEXTS in wrangler.toml.";

function withEditing(
  answer: (files: Editing, call: Call) => ConsoleAnswer | Promise<ConsoleAnswer>,
): ConsoleOperation["answer"] {
  const reads = withReading(answer);
  return (call) => refuseReadOnly(call) ?? reads(call);
}

/** Null if texts may be changed here. */
export function refuseReadOnly({ snapshot }: Call): ConsoleAnswer | null {
  return snapshot.config.console.edit ? null : refuseBy("read-only");
}

/** Publications can be seen where nothing may be changed. */
function withReading(
  answer: (files: Editing, call: Call) => ConsoleAnswer | Promise<ConsoleAnswer>,
): ConsoleOperation["answer"] {
  return (call) =>
    call.files === null ? refuseWith(409, nothingToChange) : answer(call.files.editing, call);
}

async function review(
  files: Editing,
  call: Call,
  name: string | null,
  isReviewed: boolean,
): Promise<ConsoleAnswer> {
  const { core, grant, path, snapshot } = call;
  const { key = "", locale = "" } = path;
  const instance = instanceOf(call, name);
  if (instance === null) return noInstance;
  if (!isLine(snapshot, instance, locale, key)) return refuseMissingLine(locale, key);
  if (!mayChange(grant, locale)) return refuseLanguage(grant, locale);
  const line = await readReviewable(core, snapshot, instance, locale, key);
  if (line === null) return refuseWith(422, `"${locale}" says nothing of its own in "${key}".`);
  if (isReviewed && textIn(call.body, "hash") !== line.text) {
    return refuseBy("reviewed");
  }
  await files.review(grant, line, isReviewed);
  return answerValue({ reviews: await reviewsOf(core, snapshot, instance, await files.reviews()) });
}

function draftAddressOf(call: Call, given: (name: string) => string | null): DraftAddress | null {
  const instance = instanceOf(call, given("instance"));
  const { key = "", locale = "" } = call.path;
  const text = { locale, key, id: given("id"), channel: given("channel") ?? "" };
  return instance === null ? null : { instance: instance.name, ...text };
}

function publicationIn(body: Readonly<Record<string, unknown>>): PublicationRequest {
  return {
    note: textIn(body, "note")?.slice(0, 1000) ?? "",
    files: textsIn(body["files"]),
    warnings: body["warnings"] === true,
  };
}
