import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { ContentSummary } from "../../../api/console-contents.ts";
import { readContentFields } from "../../../backend/content/content-fields.ts";
import { compileContent } from "../../../backend/content/content-thread.ts";
import { readDirectory } from "../../../backend/content/read-directory.ts";
import { readStoredRows } from "../../../backend/content/rows.ts";
import type { StoredContents } from "../../../backend/storage/types.ts";
import { memberOf } from "../../../api/call/read.ts";
import { toCanonicalTag } from "../../../config/schema/values.ts";
import { findOldLine } from "../../../gateway/console/unified-diff.ts";
import type { DraftedContents, DraftSources } from "./content-reader.ts";
import {
  assignFindings,
  findNames,
  locateContents,
  planContents,
  type WrittenFile,
} from "./planned-contents.ts";
import { findingOf } from "./text-files.ts";

/**
 * Reads the files with the changes of a draft, and checks all contents as the backend does. While
 * somebody types, one draft is read again and again.
 */
export function readDrafted(given: DraftSources): DraftedContents {
  const { folder, directory, env, stored, drafted, texts } = given;
  const sources = { folder, directory, env, stored, drafted, texts };
  const { hash } = readDirectory(directory);
  const known = latest.find((one) => one.hash === hash && isDeepStrictEqual(one.sources, sources));
  const read = known?.read ?? readAnew(sources);
  latest = [{ hash, sources, read }, ...latest.filter((one) => one !== known)].slice(0, mostKept);
  return read;
}

let latest: readonly {
  /** The hash of the directory without the draft. */
  readonly hash: string;
  readonly sources: DraftSources;
  readonly read: DraftedContents;
}[] = [];

/** The drafts of two owners, or one before and after its latest change. */
const mostKept = 2;

function readAnew(sources: DraftSources): DraftedContents {
  const { folder, directory, env, stored, drafted, texts } = sources;
  const { files, faults } = planContents(folder, drafted.changes, drafted.bases);
  const instead = new Map<string, string | null>([
    ...files.flatMap(({ file, after }): [string, string][] =>
      after === null ? [] : [[join(folder, file), after]],
    ),
    ...Object.entries(texts).map(([file, text]) => [join(folder, file), text] as const),
  ]);
  const read = readDirectory(directory, instead);
  const { content, diagnostics } = compileContent({ files: read, stored, environment: env });
  const located = locateContents(folder, read);
  const findings = diagnostics.map((one) => findingOf(one, folder));
  const diffs = new Map(files.map(({ file, diff }) => [file, diff]));
  const lineOf = (file: string, line: number): number => findOldLine(diffs.get(file) ?? "", line);
  return {
    files: located.map((one) => withOldLines(one, (line) => lineOf(one.file, line))),
    planned: files.map((one) => ({
      ...one,
      changes: one.changes.map((change) => ({ ...change, names: findNames(change, located) })),
    })),
    stored: listStored(stored),
    content: faults.length > 0 ? null : content,
    findings: [
      ...faults,
      ...assignFindings(findings, located).map((one) => {
        return { ...one, line: lineOf(one.file, one.line) };
      }),
    ],
    directory: read,
  };
}

/** Findings name lines of the present file, because the owner looks into that file. */
function withOldLines(written: WrittenFile, lineOf: (line: number) => number): WrittenFile {
  const items = written.items.map((item) => ({
    ...item,
    first: lineOf(item.first),
    others: item.others.map(({ key, line }) => ({ key, line: lineOf(line) })),
  }));
  return { ...written, items };
}

function listStored(stored: StoredContents | null): DraftedContents["stored"] {
  if (stored === null) return [];
  return readStoredRows(stored).flatMap(({ language, rows }) =>
    rows.flatMap(({ value }): Omit<ContentSummary, "draft">[] => {
      const id = memberOf(value, "id");
      if (typeof id !== "number") return [];
      const tag = toCanonicalTag(language) ?? language;
      return [{ ...readContentFields(value), id, language: tag, file: null, line: 0 }];
    }),
  );
}
