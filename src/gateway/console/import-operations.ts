import type { ImportedContents } from "../../api/console-import.ts";
import { fromBase64 } from "../../json/bytes.ts";
import { parseTag } from "../../locales/tag.ts";
import { mayAct, mayChange, maySee, refuseLanguage } from "./access.ts";
import { answerValue, type ConsoleAnswer, refuseWith } from "./answer.ts";
import { refuseBy } from "./refusals.ts";
import { findLeastId, maySeeEmbedded } from "./content-operations.ts";
import type { ContentImportRequest } from "./files.ts";
import { type Call, type ConsoleOperation, textIn } from "./operation.ts";

/** Previews and imports contents from another bot or from a sheet. */
export const IMPORT_OPERATIONS: readonly ConsoleOperation[] = [
  {
    method: "post",
    path: "contents/import",
    needs: "edit",
    summary:
      "Returns the contents that a sheet or another bot's export would become. With `write`, also writes them to new files of the embedded backend, which needs the role `publish`.",
    body: {
      name: "The file's name.",
      file: "The file in Base64, at most 3 MB.",
      language: "The language of the contents, if the file does not name one.",
      write: {
        type: "boolean",
        description: "true: writes the files, whose contents readers then get.",
      },
    },
    answer: importContents,
  },
];

async function importContents(call: Call): Promise<ConsoleAnswer> {
  const { body, files, grant, snapshot } = call;
  const run = files?.importContents ?? null;
  if (run === null || !maySeeEmbedded(call)) return refuseWith(409, noContents);
  if (!snapshot.config.console.edit) return refuseBy("read-only");
  const { file } = body;
  const bytes = typeof file === "string" ? fromBase64(file) : null;
  if (bytes === null) return refuseWith(422, "Send the file in Base64 as `file`.");
  const written = textIn(body, "language");
  const language = written === null ? null : parseTag(written);
  if (written !== null && language === null) {
    return refuseWith(422, "Send `language` as a tag, such as fr or pt-BR.");
  }
  const name = textIn(body, "name")?.slice(-200) ?? "import";
  const request: ContentImportRequest = {
    name,
    bytes,
    language: language && written,
    write: false,
    least: await findLeastId(call),
  };
  const preview = await run(grant, request);
  if ("kind" in preview) return preview;
  if (body["write"] !== true) return answerValue(preview);
  const refusal = refuseWriting(call, preview);
  if (refusal !== null) return refusal;
  const done = await run(grant, { ...request, write: true });
  return "kind" in done ? done : answerValue(done);
}

/** Readers get contents as soon as their files are written. */
function refuseWriting({ grant, snapshot }: Call, preview: ImportedContents): ConsoleAnswer | null {
  if (!mayAct(grant, "publish")) {
    return refuseBy("role", { label: grant.label });
  }
  const { instances } = snapshot.config;
  if (instances.some(({ name }) => !maySee(grant, name))) {
    return refuseBy("all-instances");
  }
  const other = preview.files.find(({ language }) => !mayChange(grant, language));
  return other === undefined ? null : refuseLanguage(grant, other.language);
}

const noContents =
  "There are no contents here. Contents need the embedded backend, and files that this console can write.";
