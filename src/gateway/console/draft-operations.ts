import { mayChange, notYours } from "./access.ts";
import { type Answer, refused, value } from "./answer.ts";
import {
  type Call,
  INSTANCE,
  instanceOf,
  isLine,
  noInstance,
  noLine,
  type ConsoleOperation,
  textIn,
  textsIn,
} from "./operation.ts";
import type { DraftPlace, Editing, PublicationWish } from "./files.ts";
import { reviewable, reviewsOf } from "./texts.ts";

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
    answer: editing(async (files, { grant }) => value((await files.draft(grant)).draft)),
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
    answer: editing((files, call) => {
      const { body, grant } = call;
      const text = body["text"];
      if (text !== null && (typeof text !== "string" || text.trim() === "")) {
        return refused(422, "Send what is to be said as `text`. An empty text is never said.");
      }
      if (text !== null && text.length > longestText) return refused(422, tooLong);
      const given = (name: string): string | null => textIn(body, name);
      const place = placeOf(call, given);
      const instance = instanceOf(call, place?.instance ?? null);
      if (place === null || instance === null) return noInstance;
      const { key, locale } = place;
      if (!isLine(call.snapshot, instance, locale, key)) return noLine(locale, key);
      return mayChange(grant, place.locale)
        ? files.put(grant, text === null ? { ...place, channel: "" } : place, text)
        : refused(403, notYours(grant, place.locale));
    }),
  },
  {
    method: "post",
    path: "translations",
    needs: "edit",
    summary: "Puts the texts of a translator's file that differ from what is said into your draft.",
    body: { ...INSTANCE, text: "The file: CSV or XLIFF 1.2.", name: "As findings call the file." },
    answer: editing((files, call) => {
      const instance = instanceOf(call, textIn(call.body, "instance"));
      if (instance === null) return noInstance;
      const text = textIn(call.body, "text");
      if (text === null) return refused(422, "Send the file, CSV or XLIFF, as `text`.");
      const name = textIn(call.body, "name")?.slice(0, 200) ?? "import";
      return files.imported(call.grant, { instance: instance.name, name, text });
    }),
  },
  {
    method: "delete",
    path: "draft/{locale}/{key}",
    needs: "edit",
    summary: "Takes a change out of your draft; answers with the draft.",
    query: PLACE,
    answer: editing((files, call) => {
      const place = placeOf(call, (name) => call.query.get(name));
      return place === null ? noInstance : files.takeOut(call.grant, place);
    }),
  },
  {
    method: "put",
    path: "reviews/{locale}/{key}",
    needs: "edit",
    summary: "Says that you have read a line and found it right.",
    body: { ...INSTANCE, hash: "Of what you have read, as the line's details have it." },
    answer: editing((files, call) => review(files, call, textIn(call.body, "instance"), true)),
  },
  {
    method: "delete",
    path: "reviews/{locale}/{key}",
    needs: "edit",
    summary: "Takes that back, whoever said so.",
    query: INSTANCE,
    answer: editing((files, call) => review(files, call, call.query.get("instance"), false)),
  },
  {
    method: "delete",
    path: "draft",
    needs: "edit",
    summary: "Throws your draft away.",
    answer: editing((files, { grant }) => files.discard(grant)),
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
    answer: editing((files, { body, grant }) =>
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
    answer: editing((files, { body, grant }) => files.publish(grant, wishIn(body))),
  },
  {
    method: "get",
    path: "history",
    needs: "view",
    summary: "The latest publications: who, when, why, and what they changed.",
    answer: reading(async (files, { grant }) => value({ history: await files.history(grant) })),
  },
  {
    method: "post",
    path: "history/{id}/restore",
    needs: "publish",
    summary: "Publishes the texts from before a publication.",
    body: WISH,
    answer: editing((files, { body, grant, path }) =>
      files.restore(grant, Number(path["id"]), wishIn(body)),
    ),
  },
  {
    method: "get",
    path: "audit",
    needs: "admin",
    summary: "The latest 500 writes of the console: who, when and what.",
    answer: reading(async (files) => value({ audit: await files.audit() })),
  },
];

/** In UTF-16 units: half of what a file may hold. */
const longestText = 524_288;
const tooLong = `A text has at most ${longestText} characters.`;

const nothingToChange =
  "The configuration did not come from files: there is nothing to change. On Workers, bind a KV namespace as AFTERWORD_TEXTS in wrangler.toml.";

const readOnly =
  "The configuration says console: { edit: false }: the console is for reading. Change the texts in their files.";

function editing(
  answer: (files: Editing, call: Call) => Answer | Promise<Answer>,
): ConsoleOperation["answer"] {
  const reads = reading(answer);
  return (call) => (call.snapshot.config.console.edit ? reads(call) : refused(403, readOnly));
}

/** What has been published can be seen where nothing may be changed. */
function reading(
  answer: (files: Editing, call: Call) => Answer | Promise<Answer>,
): ConsoleOperation["answer"] {
  return (call) =>
    call.files === null ? refused(409, nothingToChange) : answer(call.files.editing, call);
}

async function review(
  files: Editing,
  call: Call,
  name: string | null,
  wanted: boolean,
): Promise<Answer> {
  const { core, grant, path, snapshot } = call;
  const { key = "", locale = "" } = path;
  const instance = instanceOf(call, name);
  if (instance === null) return noInstance;
  if (!isLine(snapshot, instance, locale, key)) return noLine(locale, key);
  if (!mayChange(grant, locale)) return refused(403, notYours(grant, locale));
  const said = await reviewable(core, snapshot, instance, locale, key);
  if (said === null) return refused(422, `"${locale}" says nothing of its own in "${key}".`);
  if (wanted && textIn(call.body, "hash") !== said.text) {
    return refused(409, "This is not what is said now: read it again. Nothing was recorded.");
  }
  await files.review(grant, said, wanted);
  return value({ reviews: await reviewsOf(core, snapshot, instance, await files.reviews()) });
}

function placeOf(call: Call, given: (name: string) => string | null): DraftPlace | null {
  const instance = instanceOf(call, given("instance"));
  const { key = "", locale = "" } = call.path;
  const place = { locale, key, id: given("id"), channel: given("channel") ?? "" };
  return instance === null ? null : { instance: instance.name, ...place };
}

function wishIn(body: Readonly<Record<string, unknown>>): PublicationWish {
  return {
    note: textIn(body, "note")?.slice(0, 1000) ?? "",
    files: textsIn(body["files"]),
    warnings: body["warnings"] === true,
  };
}
