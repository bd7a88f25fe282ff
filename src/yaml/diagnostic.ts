import type { Source, Span } from "./source.ts";
import { createCodeFrame, positionAt } from "./source.ts";

/** The kind of a mistake, as a stable name that tools may filter on. The list only grows. */
export type DiagnosticCode =
  | "unreadable"
  | "encoding"
  | "too-large"
  | "yaml"
  | "environment"
  | "unknown-key"
  | "missing-key"
  | "invalid-value"
  | "duplicate"
  | "insecure-upstream"
  | "address-version"
  | "webhook-refused"
  | "form-goes-nowhere"
  | "short-token"
  | "suffix-is-private"
  | "timeout-too-long"
  | "plain-secret"
  | "created-missing"
  | "unknown-flag"
  | "renamed-flag"
  | "unknown-locale"
  | "empty-text"
  | "unknown-placeholder"
  | "broken-placeholder"
  | "single-brace"
  | "plural-missing"
  | "plural-unused"
  | "norway"
  | "never-fires"
  | "hidden-line"
  | "unreachable"
  | "condition-unknown"
  | "condition-covered"
  | "markup"
  | "markup-as-text"
  | "value-in-tag"
  | "invisible-character"
  | "inherited-markup"
  | "wrong-script"
  | "same-as-english"
  | "placeholder-differs"
  | "source-changed"
  | "missing-table"
  | "restart-needed"
  | "tls-unusable"
  | "proxy-not-named"
  | "demo-content"
  | "unknown-reference"
  | "open-operation"
  | "managed-mode"
  | "missing-credentials"
  | "idle-setting"
  | "ambiguous-phrase"
  | "csv-quotes"
  | "guessed-encoding"
  | "file-empty"
  | "file-locked"
  | "workbook"
  | "not-contents"
  | "archive"
  | "json"
  | "sheet-empty"
  | "sheet-columns"
  | "sheet-cells"
  | "sheet-language"
  | "more";

/**
 * The values of the sentence that pages have for a code in their own language, such as `{ language:
 * "fr" }`. They have all the information of the message.
 */
export type DiagnosticParams = Readonly<Record<string, string | number>>;

/** A finding. `line` and `column` (UTF-16) count from 1; `frame` masks secrets as `***`. */
export interface Diagnostic {
  readonly severity: "error" | "warning" | "note";
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly frame: string;
  readonly hint?: string;
  /** Absent if the code alone determines the message. */
  readonly params?: DiagnosticParams;
}

/** Reports a mistake, and its remedy. */
export type Report = (
  code: DiagnosticCode,
  message: string,
  hint?: string | null,
  params?: DiagnosticParams,
) => void;

/** Reports a mistake at a position in a file. */
type ReportAt = (source: Source, span: Span, ...details: Parameters<Report>) => void;

/** Collects findings while files are read. */
export interface Reporter {
  readonly error: ReportAt;
  readonly warn: ReportAt;
  /** Notes something correct that is worth knowing. */
  readonly note: ReportAt;
  /** True once an error was reported. */
  failed(): boolean;
  diagnostics(): readonly Diagnostic[];
}

/** Per file and code; further findings are only counted, as many equal lines do not help. */
const MAX_PER_FILE_AND_CODE = 50;

/** Creates an empty collection. */
export function createReporter(): Reporter {
  const found: Diagnostic[] = [];
  const counts = new Map<string, { count: number; last: Diagnostic }>();
  let failed = false;

  const report =
    (severity: Diagnostic["severity"]): ReportAt =>
    (source, span, code, message, hint, params) => {
      failed ||= severity === "error";
      const group = `${severity} ${code} ${source.file}`;
      const seen = counts.get(group);
      if (seen !== undefined && seen.count >= MAX_PER_FILE_AND_CODE) {
        seen.count += 1;
        return;
      }
      const diagnostic: Diagnostic = {
        severity,
        code,
        message,
        file: source.file,
        ...positionAt(source, span.start),
        frame: createCodeFrame(source, span),
        ...(typeof hint === "string" && { hint }),
        ...(params !== undefined && { params }),
      };
      counts.set(group, { count: (seen?.count ?? 0) + 1, last: diagnostic });
      found.push(diagnostic);
    };

  return {
    error: report("error"),
    warn: report("warning"),
    note: report("note"),
    failed: () => failed,
    diagnostics: () =>
      sortDiagnostics([...found, ...[...counts.values()].flatMap(describeOverflow)]),
  };
}

/** By file in the order of their first finding, then from top to bottom. */
function sortDiagnostics(found: readonly Diagnostic[]): readonly Diagnostic[] {
  const files = [...new Set(found.map((diagnostic) => diagnostic.file))];
  const rank = new Map(files.map((file, index) => [file, index]));
  const rankFile = (file: string): number => rank.get(file) ?? 0;
  return found.toSorted(
    (a, b) => rankFile(a.file) - rankFile(b.file) || a.line - b.line || a.column - b.column,
  );
}

function describeOverflow(group: { count: number; last: Diagnostic }): readonly Diagnostic[] {
  const more = group.count - MAX_PER_FILE_AND_CODE;
  if (more <= 0) return [];
  const { severity, code, file, line, column } = group.last;
  const message = `${more} more like this (${code}) in the rest of the file`;
  const params = { count: more };
  return [{ severity, code: "more", message, file, line, column, frame: "", params }];
}

/** For a terminal, with code frames. An empty string for no diagnostics. */
export function diagnosticsAsText(found: readonly Diagnostic[]): string {
  return found.map((one) => `${formatDiagnostic(one)}\n`).join("\n");
}

function formatDiagnostic({
  severity,
  code,
  message,
  file,
  line,
  column,
  frame,
  hint,
}: Diagnostic): string {
  // A file that could not be read has no line to name.
  const place = code === "unreadable" && frame === "" ? file : `${file}:${line}:${column}`;
  const head = `${place}: ${severity}: ${toVisible(message)} [${code}]`;
  return [head, frame, hint ?? ""].filter((part) => part !== "").join("\n");
}

/** Characters of a file must not steer the terminal that shows them. */
export function toVisible(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, " ");
}
