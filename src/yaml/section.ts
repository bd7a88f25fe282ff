import type { Report, Reporter } from "./diagnostic.ts";
import type { Path, YamlFile } from "./yaml.ts";

/** A part of a YAML file that reports mistakes at its position in the file. */
export interface Section {
  /** The part below these keys and indexes. */
  at(...path: Path): Section;
  /** The same part, which reports at its key instead of its value. */
  readonly key: Section;
  /** The scalar as the file writes it, before `${NAME}` was filled in; null for anything else. */
  written(): string | null;
  readonly error: Report;
  readonly warn: Report;
  /** Notes something correct that is worth knowing. */
  readonly note: Report;
}

/** Makes a section of a file's part at a path; without a path, of the whole file. */
export function sectionOf(
  file: YamlFile,
  reporter: Reporter,
  path: Path = [],
  part: "key" | "value" = "value",
): Section {
  const report =
    (severity: "error" | "warn" | "note"): Report =>
    (...details) =>
      reporter[severity](file.source, file.locate(path, part), ...details);
  return {
    at: (...below) => sectionOf(file, reporter, [...path, ...below], part),
    get key() {
      return sectionOf(file, reporter, path, "key");
    },
    written: () => file.written(path),
    error: report("error"),
    warn: report("warn"),
    note: report("note"),
  };
}

/** Warns of a secret that is written into the file instead of an environment variable. */
export function warnOfPlainSecret(section: Section): void {
  const literal = section.written();
  if (literal === null || literal.includes("${")) return;
  const message = "a secret stands in this file; anybody who may read it may use it";
  section.warn("plain-secret", message, "Write ${NAME} and set that variable.");
}
