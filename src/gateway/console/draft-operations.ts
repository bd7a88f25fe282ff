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
  channel: "A channel's name. Default: the text for every channel.",
  id: "The id of a text of the line, such as that of a condition, a variant or a plural form, as `places` lists it. An id that is not listed adds a text.",
};

const WISH = {
  note: "A note for the history, at most 1,000 characters.",
  files: {
    type: "object",
    description:
      "The hash of each file as you saw it. If a file has another one now, the answer is 409.",
  },
  warnings: { type: "boolean", description: "true: publishes in spite of warnings." },
};

/** Changing texts: the draft of each label, publications, and the history. */
export const DRAFT_OPERATIONS: readonly ConsoleOperation[] = [
  {
    method: "get",
    path: "draft",
    needs: "edit",
    summary:
      "Returns your draft: the texts that you changed and have not published, the diff of each file, and the findings of the check.",
    answer: withEditing(async (files, { grant }) => answerValue((await files.draft(grant)).draft)),
  },
  {
    method: "put",
    path: "draft/{locale}/{key}",
    needs: "edit",
    summary: "Puts a text of a line into your draft, and returns the draft.",
    body: {
      ...PLACE,
      text: "The new text. Null removes the text that `id` names; without `id`, it removes the whole line, and Afterword's own text is used.",
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
    summary:
      "Imports a translator's file: puts the texts that differ from the present ones into your draft. Returns the draft, and how many texts were taken.",
    body: {
      ...INSTANCE,
      text: "The file: CSV or XLIFF 1.2.",
      name: "The file's name in findings.",
    },
    answer: withEditing((files, call) => {
      const instance = instanceOf(call, textIn(call.body, "instance"));
      if (instance === null) return noInstance;
      const { text } = call.body;
      if (typeof text !== "string") {
        return refuseWith(422, "Send the file, CSV or XLIFF, as `text`.");
      }
      const name = textIn(call.body, "name")?.slice(0, 200) ?? "import";
      return files.importTexts(call.grant, { instance: instance.name, name, text });
    }),
  },
  {
    method: "delete",
    path: "draft/{locale}/{key}",
    needs: "edit",
    summary: "Removes a change of a text from your draft, and returns the draft.",
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
    summary:
      "Records that you have reviewed a line and found it right. Returns all reviews of the instance.",
    body: {
      ...INSTANCE,
      hash: "The `hash` of the text that you reviewed, from the details of the line. If it has changed, the answer is 409.",
    },
    answer: withEditing((files, call) => review(files, call, textIn(call.body, "instance"), true)),
  },
  {
    method: "delete",
    path: "reviews/{locale}/{key}",
    needs: "edit",
    summary:
      "Withdraws the review of a line, whoever made it. Returns all reviews of the instance.",
    query: INSTANCE,
    answer: withEditing((files, call) => review(files, call, call.query.get("instance"), false)),
  },
  {
    method: "delete",
    path: "draft",
    needs: "edit",
    summary: "Discards your draft, and returns the empty one.",
    answer: withEditing((files, { grant }) => files.discard(grant)),
  },
  {
    method: "post",
    path: "draft/rebase",
    needs: "edit",
    summary:
      "Applies your draft to files that others have changed since you began it, and returns the draft.",
    body: {
      files: {
        type: "object",
        description: "An object whose names are the files. Default: all files of your draft.",
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
      "Publishes your draft: writes all of its files and puts them in force, or does nothing. If files cannot be written here, the answer is a patch.",
    body: WISH,
    answer: withEditing((files, { body, grant }) => files.publish(grant, publicationIn(body))),
  },
  {
    method: "get",
    path: "history",
    needs: "view",
    summary:
      "Lists the latest publications: who published what, when and why. Those with files of other instances than the token's are left out.",
    answer: withReading(async (files, { grant }) =>
      answerValue({ history: await files.history(grant) }),
    ),
  },
  {
    method: "post",
    path: "history/{id}/restore",
    needs: "publish",
    summary: "Takes a publication back: publishes the texts that its files had before it.",
    body: WISH,
    answer: withEditing((files, { body, grant, path }) =>
      files.restore(grant, Number(path["id"]), publicationIn(body)),
    ),
  },
  {
    method: "get",
    path: "audit",
    needs: "admin",
    summary: "Lists the latest 500 entries of the audit log: who changed what, and when.",
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
