import { join, relative, sep } from "node:path";
import { borrowsDemoContent, listEmbedded } from "../../../config/load/embedded.ts";
import type { Config } from "../../../config/config.ts";
import type { Grant } from "../../../api/console-session.ts";
import { mayAct } from "../../../gateway/console/access.ts";
import { answerValue } from "../../../gateway/console/answer.ts";
import { refuseBy } from "../../../gateway/console/refusals.ts";
import type { ContentFiles } from "../../../gateway/console/files.ts";
import type { ContentDraftParts } from "./content-drafts.ts";
import { createContentReader, type ContentReaderOptions, type Drafted } from "./content-reader.ts";
import type { FileEditing } from "./editing.ts";

export interface OpenContentsOptions extends Pick<
  ContentReaderOptions,
  "folder" | "env" | "stored"
> {
  /** The configuration in force. */
  readonly config: () => Config;
}

export interface OpenContents extends ContentDraftParts {
  readonly isDemo: () => boolean;
}

/** Opens the contents of the backend in this process. */
export function openContents({ folder, env, stored, config }: OpenContentsOptions): OpenContents {
  // The backend keeps the directory that it was started with, even after a reload.
  const directory = config().backend.content;
  const reader = createContentReader({ folder, directory, env, stored });
  return {
    folder,
    reader,
    isFile: (file) => !relative(directory, join(folder, file)).startsWith(`..${sep}`),
    instances: () => listEmbedded(config().instances),
    isDemo: () => borrowsDemoContent(config()),
  };
}

/** Creates the contents for the console's API. Each label works on a draft of its own. */
export function createContentFiles(
  { reader, isDemo }: OpenContents,
  editing: FileEditing,
): ContentFiles {
  const readDrafted = async (grant: Grant): Promise<Drafted> =>
    mayAct(grant, "edit") ? editing.contents.drafted(grant) : { changes: [], bases: {} };
  const answerDraft = async (grant: Grant) => (await editing.draft(grant)).draft;
  return {
    async list(grant, query) {
      return { demo: isDemo(), ...(await reader.list(await readDrafted(grant), query)) };
    },
    details: async (grant, language, id) => reader.details(await readDrafted(grant), language, id),
    ask: async (grant, questions, settings) =>
      reader.ask(await readDrafted(grant), questions, settings),
    async put(grant, edit) {
      if (isDemo()) return refuseBy("demo-contents", { command: "afterword backend init" });
      const put = await editing.contents.putContent(grant, edit);
      if (typeof put !== "number") return put;
      return answerValue({ id: put, draft: await answerDraft(grant) });
    },
    async removeChange(grant, language, id) {
      await editing.contents.removeContentChange(grant, language, id);
      return answerValue(await answerDraft(grant));
    },
  };
}
