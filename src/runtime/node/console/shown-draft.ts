import type { Draft, LineFinding } from "../../../api/console.ts";
import type { Grant } from "../../../api/console-session.ts";
import { hashOf } from "../../../config/edit/write-files.ts";
import { maySee } from "../../../gateway/console/access.ts";
import { findOldLine } from "../../../gateway/console/unified-diff.ts";
import type { PlannedText } from "./planned-draft.ts";
import type { FileTexts, Planned } from "./text-files.ts";

/** Converts a draft of texts to the form that the console shows to its owner. */
export function draftOf(planned: Planned, bases: FileTexts, grant: Grant): Draft {
  const baseOf = ({ file, before }: PlannedText): string | null => {
    const base = bases[file];
    return base === undefined ? before : base;
  };
  const changes = planned.files.flatMap(({ file, instances, changes: ofFile }) =>
    ofFile.map(({ instance, locale, key, id, text, from, theirs }) => {
      return { instance, instances, locale, key, id, text, file, before: from, theirs };
    }),
  );
  const files = planned.files.map((one) => ({
    file: one.file,
    hash: hashOf(baseOf(one)),
    conflict: baseOf(one) !== one.before,
    diff: one.diff,
  }));
  const keys = new Set(changes.map(({ file, key }) => `${file} ${key}`));
  const seen = new Set(
    (planned.config?.instances ?? [])
      .filter(({ name }) => maySee(grant, name))
      .map(({ tableSet }) => tableSet),
  );
  const lines = new Map<string, LineFinding>();
  // Instances that share a file have the same findings, so the map keeps each once.
  for (const [index, set] of planned.sets.entries()) {
    if (grant.instances !== null && !seen.has(index)) continue;
    for (const line of set.lines) lines.set(findingKeyOf(line), line);
  }
  const own = new Set(files.map(({ file }) => file));
  let isHidden = false;
  const findings = planned.findings.flatMap((finding) => {
    const line = lines.get(findingKeyOf(finding));
    if (finding.severity === "error") {
      if (line !== undefined || grant.instances === null || own.has(finding.file)) {
        return [withOldLine(line ?? finding)];
      }
      isHidden = true;
      return [];
    }
    const isChanged = line !== undefined && keys.has(`${line.file} ${line.key}`);
    return isChanged ? [withOldLine(line)] : [];
  });
  return {
    changes,
    contents: [],
    files,
    findings: isHidden ? [...findings, HIDDEN_ERROR] : findings,
  };

  /** Replaces the line number by that of the present file, because the owner looks into that one. */
  function withOldLine(finding: Draft["findings"][number]): Draft["findings"][number] {
    const diff = files.find(({ file }) => file === finding.file)?.diff ?? "";
    return { ...finding, line: findOldLine(diff, finding.line) };
  }
}

/** Stands for all errors that a token may not see, because they are in files of other instances. */
const HIDDEN_ERROR: Draft["findings"][number] = {
  severity: "error",
  code: "elsewhere",
  message: "A file of an instance that your token is not for has an error.",
  file: "",
  line: 0,
  column: 0,
};

function findingKeyOf({ file, line, column, code }: Draft["findings"][number]): string {
  return `${file} ${line} ${column} ${code}`;
}
