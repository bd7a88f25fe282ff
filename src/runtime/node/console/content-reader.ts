import type {
  ContentDetails,
  ContentFinding,
  ContentList,
  ContentQuestions,
  ContentSummary,
  ContentTrial,
} from "../../../api/console-contents.ts";
import type { DirectoryTexts } from "../../../backend/content/read-directory.ts";
import type { Content } from "../../../backend/content/types.ts";
import type { StoredContents } from "../../../backend/storage/types.ts";
import type { ContentQuery } from "../../../gateway/console/files.ts";
import type { MatchingSettings } from "../../../matching/types.ts";
import { answerInThread, createThread } from "../../../storage/thread.ts";
import type { Environment } from "../../../yaml/source.ts";
import type { ContentDraft, PlannedContents, WrittenFile } from "./planned-contents.ts";
import type { FileTexts } from "./text-files.ts";

/**
 * Reads the owner's contents in a thread, because parsing and checking them would delay requests.
 */
export interface ContentReader {
  /** @param texts whole files instead of those on the disk, as a publication is taken back */
  plan(drafted: Drafted, texts?: FileTexts): Promise<PlannedBase>;
  list(drafted: Drafted, query: ContentQuery): Promise<Omit<ContentList, "demo">>;
  /** Null if there is no such content. */
  details(drafted: Drafted, language: string, id: number): Promise<ContentDetails | null>;
  ask(
    drafted: Drafted,
    questions: ContentQuestions,
    settings: MatchingSettings,
  ): Promise<ContentTrial | null>;
  /** Finds the id and the file of a content, of a new one, or of a translation. */
  findTarget(drafted: Drafted, language: string, id: number | null): Promise<ContentTarget>;
}

/** A draft's changes, and the files that it was begun with. */
export interface Drafted {
  readonly changes: readonly ContentDraft[];
  readonly bases: FileTexts;
}

export interface PlannedBase {
  readonly files: readonly PlannedContents[];
  readonly findings: readonly ContentFinding[];
  /** The hash of the directory with the changes. */
  readonly hash: string;
  /** False if the backend could not load it. */
  readonly loads: boolean;
}

export interface ContentTarget {
  readonly id: number;
  /** Below the configuration's folder. */
  readonly file: string;
  /** True if another language has it. */
  readonly exists: boolean;
  /** True if another language has it. */
  readonly isElsewhere: boolean;
  /** True if it is in the database, and no file has it. */
  readonly stored: boolean;
}

export interface ContentReaderOptions {
  /** The configuration's folder. */
  readonly folder: string;
  /** The directory of the contents, as the backend names it. */
  readonly directory: string;
  readonly env: Environment;
  readonly stored: () => Promise<StoredContents>;
}

export function createContentReader(options: ContentReaderOptions): ContentReader {
  const { folder, directory, env, stored } = options;
  const call = async <Kind extends Question["kind"]>(
    drafted: Drafted,
    question: Extract<Question, { readonly kind: Kind }>,
    texts: FileTexts = {},
  ): Promise<Answers[Kind]> => {
    const rows = await stored();
    const answer = await thread.call({
      folder,
      directory,
      // `process.env` is no plain object, and cannot be sent to a thread.
      env: { ...env },
      stored: rows.rows.length + rows.sources.length === 0 ? null : rows,
      drafted,
      texts,
      question,
    });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return answer as Answers[Kind];
  };
  return {
    plan: (drafted, texts) => call(drafted, { kind: "plan" }, texts),
    list: (drafted, query) => call(drafted, { kind: "list", query }),
    details: (drafted, language, id) => call(drafted, { kind: "details", language, id }),
    ask: (drafted, questions, settings) => call(drafted, { kind: "ask", questions, settings }),
    findTarget: (drafted, language, id) => call(drafted, { kind: "target", language, id }),
  };
}

type Question =
  | { readonly kind: "plan" }
  | { readonly kind: "list"; readonly query: ContentQuery }
  | { readonly kind: "details"; readonly language: string; readonly id: number }
  | {
      readonly kind: "ask";
      readonly questions: ContentQuestions;
      readonly settings: MatchingSettings;
    }
  | { readonly kind: "target"; readonly language: string; readonly id: number | null };

interface Answers {
  readonly plan: PlannedBase;
  readonly list: Omit<ContentList, "demo">;
  readonly details: ContentDetails | null;
  readonly ask: ContentTrial | null;
  readonly target: ContentTarget;
}

/** The sources of a draft's contents. */
export interface DraftSources {
  readonly folder: string;
  readonly directory: string;
  readonly env: Environment;
  readonly stored: StoredContents | null;
  readonly drafted: Drafted;
  /** Whole files instead of those on the disk. */
  readonly texts: FileTexts;
}

interface ReadCall extends DraftSources {
  readonly question: Question;
}

const does = "reads the contents for the console";

const thread = createThread<ReadCall, unknown>({
  module: new URL(import.meta.url),
  does,
  longest: 120_000,
  idleAfter: 60_000,
});

answerInThread(does, answer);

/** All contents with a draft's changes. */
export interface DraftedContents {
  readonly files: readonly WrittenFile[];
  readonly planned: readonly PlannedContents[];
  /** Contents of the database, which replace those of files. */
  readonly stored: readonly Omit<ContentSummary, "draft">[];
  /** Null if there are errors. */
  readonly content: Content | null;
  readonly findings: readonly ContentFinding[];
  readonly directory: DirectoryTexts;
}

async function answer(call: ReadCall): Promise<Answers[Question["kind"]]> {
  // The process that starts the thread does not load the parsers.
  const { readDrafted } = await import("./drafted-contents.ts");
  const {
    listContents,
    describeContent,
    findTarget: findPlace,
  } = await import("./listed-contents.ts");
  const { question, folder, directory } = call;
  const base = readDrafted(call);
  switch (question.kind) {
    case "plan":
      return {
        files: base.planned,
        findings: base.findings,
        hash: base.directory.hash,
        loads: base.content !== null,
      };
    case "list":
      return listContents(base, question.query);
    case "details":
      return describeContent(base, question.language, question.id);
    case "target":
      return findPlace(base, folder, directory, question.language, question.id);
    case "ask": {
      const { askContents } = await import("./asked-contents.ts");
      const sound = base.content === null ? readDrafted(withoutFaults(call, base)) : base;
      return askContents(sound, question.questions, question.settings);
    }
  }
}

/** A content that has no answer yet does not keep others from being asked. */
function withoutFaults(call: ReadCall, { findings }: DraftedContents): ReadCall {
  const faulty = new Set(
    findings
      .filter(({ severity }) => severity === "error")
      .map(({ content }) => `${content?.language} ${content?.id}`),
  );
  const { changes, bases } = call.drafted;
  const sound = changes.filter(({ language, id }) => !faulty.has(`${language} ${id}`));
  return { ...call, drafted: { changes: sound, bases } };
}
