import type { ContentFields, ContentQuestions } from "../../api/console-contents.ts";
import { isRecord } from "../../json/values.ts";
import { isTagShaped, parseTag } from "../../locales/tag.ts";
import { limitTime } from "../../wait.ts";
import { mayChange, maySee, refuseLanguage } from "./access.ts";
import { answerValue, type ConsoleAnswer, refuseWith } from "./answer.ts";
import { refuseBy } from "./refusals.ts";
import { refuseReadOnly } from "./draft-operations.ts";
import type { ContentFiles, ContentQuery } from "./files.ts";
import {
  type Call,
  type ConsoleOperation,
  INSTANCE,
  instanceOf,
  noInstance,
  textIn,
} from "./operation.ts";

const FIELDS = {
  type: "object",
  description:
    "The fields of the content: title, alternatives, answer, categories, related, published, hidden, publishFrom, expires. Fields that are left out stay as they are.",
};

const SEEN = {
  type: "object",
  description:
    "The values of the same fields when you read them. If one of them has changed since, the answer is 409.",
};

/** Operations that read, search, and change the embedded backend's contents in a draft. */
export const CONTENT_OPERATIONS: readonly ConsoleOperation[] = [
  {
    method: "get",
    path: "contents",
    needs: "view",
    summary:
      "Lists the contents of the embedded backend, with the changes of your draft, at most 200. `total` counts all of them.",
    query: {
      language: "A language tag. Default: all languages.",
      search: "Words that the texts of a content must have.",
      filter:
        "`draft`: contents that your draft changes. `offline`: contents that are not published. `dated`: contents with a date of publication or expiry.",
      category: "A category's id.",
    },
    answer: withContents(async (contents, call) => {
      const query = queryIn(call.query);
      if (query === null) return refuseWith(422, "`filter` is draft, offline or dated.");
      return answerValue(await contents.list(call.grant, query));
    }),
  },
  {
    method: "get",
    path: "contents/{language}/{id}",
    needs: "view",
    summary:
      "Returns a content in one language, with its file and line, and the findings of the check.",
    answer: withContents(async (contents, call) => {
      const { language, id } = contentIdOf(call);
      const found = id === null ? null : await contents.details(call.grant, language, id);
      return found === null ? refuseMissingContent(call) : answerValue(found);
    }),
  },
  {
    method: "post",
    path: "contents/ask",
    needs: "view",
    summary:
      "Tries questions on the contents, including one that is being edited. Lists the contents that each question finds, and other contents that the edited one's phrases would find.",
    body: {
      ...INSTANCE,
      language: "The language of the contents.",
      id: { type: "integer", description: "The content that is being edited; null for a new one." },
      fields: FIELDS,
      questions: {
        type: "array",
        items: { type: "string" },
        description: "The questions to try, at most 50.",
      },
    },
    answer: withContents(async (contents, call) => {
      const { body, grant } = call;
      const instance = instanceOf(call, textIn(body, "instance"));
      if (instance === null) return noInstance;
      const questions = listTexts(body["questions"]);
      if (questions === null || questions.length > maxQuestions) {
        return refuseWith(422, `Send \`questions\` as a list of at most ${maxQuestions} texts.`);
      }
      const language = textIn(body, "language") ?? instance.language;
      const read = readFields(body["fields"]);
      if (typeof read === "string") return refuseWith(422, read);
      const { title = "", alternatives = [], published = true, hidden = false } = read ?? {};
      const trialRequest: ContentQuestions = {
        language,
        id: toId(body["id"]),
        fields: read === null ? null : { title, alternatives, published, hidden },
        questions: questions.filter((one) => one.trim() !== ""),
      };
      const trial = await contents.ask(grant, trialRequest, instance.matching);
      return trial === null ? refuseBy("broken-contents") : answerValue(trial);
    }),
  },
  {
    method: "post",
    path: "draft/contents/{language}",
    needs: "edit",
    summary: "Puts a new content into your draft, and returns its id and the draft.",
    body: {
      fields: FIELDS,
      like: {
        type: "integer",
        description: "The id of a content of this language, which is copied.",
      },
    },
    answer: withContents((contents, call) => put(contents, call, null), true),
  },
  {
    method: "put",
    path: "draft/contents/{language}/{id}",
    needs: "edit",
    summary:
      "Puts a change of a content into your draft, and returns its id and the draft. If `fields` is null, the content is removed from its file.",
    body: { fields: FIELDS, seen: SEEN },
    answer: withContents((contents, call) => {
      const { id } = contentIdOf(call);
      return id === null ? refuseMissingContent(call) : put(contents, call, id);
    }, true),
  },
  {
    method: "delete",
    path: "draft/contents/{language}/{id}",
    needs: "edit",
    summary: "Removes the change of a content from your draft, and returns the draft.",
    answer: withContents((contents, call) => {
      const { id, language } = contentIdOf(call);
      return id === null
        ? refuseMissingContent(call)
        : contents.removeChange(call.grant, language, id);
    }, true),
  },
];

/** True if there are contents to see, and the token may see them. */
export function maySeeContents(call: Call): boolean {
  return (call.files?.contents ?? null) !== null && maySeeEmbedded(call);
}

/** True for a token that may see what the embedded backend's instances say. */
export function maySeeEmbedded({ grant, snapshot }: Call): boolean {
  return snapshot.config.instances.some(
    ({ name, upstream }) => upstream.auth.startsWith("embedded:") && maySee(grant, name),
  );
}

function withContents(
  answer: (contents: ContentFiles, call: Call) => ConsoleAnswer | Promise<ConsoleAnswer>,
  changes = false,
): ConsoleOperation["answer"] {
  return (call) => {
    const contents = call.files?.contents ?? null;
    if (contents === null || !maySeeContents(call)) return refuseWith(409, noContents);
    return (changes ? refuseReadOnly(call) : null) ?? answer(contents, call);
  };
}

async function put(contents: ContentFiles, call: Call, id: number | null): Promise<ConsoleAnswer> {
  const { body, grant } = call;
  const { language } = contentIdOf(call);
  // The language becomes part of a file name, so it must be a well-formed tag.
  if (!isTagShaped(language) || parseTag(language) === null) {
    return refuseWith(422, `"${language}" is no language tag, such as fr or pt-BR.`);
  }
  if (!mayChange(grant, language)) return refuseLanguage(grant, language);
  const isRemoval = id !== null && body["fields"] === null;
  const fields = isRemoval ? null : readFields(body["fields"] ?? {});
  if (typeof fields === "string") return refuseWith(422, fields);
  const seen = readFields(body["seen"] ?? null);
  if (typeof seen === "string") return refuseWith(422, seen);
  const least = id === null ? await findLeastId(call) : 1;
  return contents.put(grant, { language, id, fields, seen, like: toId(body["like"]), least });
}

/**
 * Finds the first id that a new content may have. The counts of a deleted content are kept, and
 * must not be shown for another. While the counts cannot be read, only the ids of files, drafts and
 * the audit log are considered, because writing contents does not wait for insights.
 */
export async function findLeastId({ core }: Pick<Call, "core">): Promise<number> {
  if (core.insights === null) return 1;
  const all = { from: null, to: null, instances: null, days: false, contents: "all" } as const;
  const least = core.insights
    .report(all)
    .then(({ contents = [] }) => contents.reduce((most, { id }) => Math.max(most, id + 1), 1));
  return limitTime(
    patience,
    least.catch(() => 1),
    () => 1,
  );
}

/** Milliseconds that a new content waits for the counts of earlier ones. */
const patience = 2000;

function contentIdOf({ path }: Call): { readonly language: string; readonly id: number | null } {
  return { language: path["language"] ?? "", id: toId(Number(path["id"])) };
}

function refuseMissingContent({ path: { language = "", id = "" } }: Call): ConsoleAnswer {
  return refuseBy("no-content", { id, language });
}

function queryIn(query: URLSearchParams): ContentQuery | null {
  const filter = query.get("filter") || null;
  const known = FILTERS.find((one) => one === filter) ?? null;
  if (filter !== known) return null;
  return {
    language: query.get("language") || null,
    search: query.get("search")?.slice(0, 1000) ?? "",
    filter: known,
    category: toId(Number(query.get("category") ?? "")),
    limit: maxContents,
  };
}

/**
 * Reads the fields of a content. Returns a sentence if one has a wrong value; null if none were
 * sent.
 */
function readFields(given: unknown): Partial<ContentFields> | string | null {
  if (given === null || given === undefined) return null;
  if (!isRecord(given)) return "Send the content as an object in `fields`.";
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const reader = READERS.get(name);
    if (reader === undefined) {
      return `A content's fields are ${[...READERS.keys()].join(", ")}; not "${name}".`;
    }
    const [isRight, what] = reader;
    if (!isRight(value)) return `\`${name}\` is ${what}.`;
    read[name] = value;
  }
  return read;
}

const maxEntries = 2000;
/** Limit of a text, in UTF-16 units. */
const maxTextLength = 524_288;

type Reader = readonly [isRight: (value: unknown) => boolean, what: string];

const isText = (value: unknown): boolean =>
  typeof value === "string" && value.length <= maxTextLength;
const isBoolean = (value: unknown): boolean => typeof value === "boolean";
const isListOf =
  (isRight: (one: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.length <= maxEntries && value.every(isRight);
const areTexts: Reader = [
  isListOf(isText),
  `a list of at most ${maxEntries} texts of at most ${maxTextLength} characters each`,
];
const areIds: Reader = [
  isListOf((one) => toId(one) !== null),
  `a list of at most ${maxEntries} ids`,
];
const moment: Reader = [
  (value) => value === null || isText(value),
  "a day as 2026-12-31, a time with its zone, or null",
];

const READERS: ReadonlyMap<string, Reader> = new Map([
  ["title", [isText, `a text of at most ${maxTextLength} characters`]],
  ["alternatives", areTexts],
  ["answer", areTexts],
  ["categories", areIds],
  ["related", areIds],
  ["published", [isBoolean, "true or false"]],
  ["hidden", [isBoolean, "true or false"]],
  ["publishFrom", moment],
  ["expires", moment],
]);

function toId(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : null;
}

function listTexts(value: unknown): readonly string[] | null {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return null;
  const texts = value.filter((one) => typeof one === "string");
  return texts.length === value.length ? texts : null;
}

const FILTERS = ["draft", "offline", "dated"] as const;
const maxContents = 200;
const maxQuestions = 50;

const noContents =
  "There are no contents here: they belong to the embedded backend, and to files that this console can read.";
