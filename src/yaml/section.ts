import type { Report, Reporter } from "./diagnostic.ts";
import type { Path, YamlFile } from "./yaml.ts";

/** A part of a YAML file, whose mistakes are reported at its position. */
export interface Section {
  /** Returns the part below these keys and indexes. */
  at(...path: Path): Section;
  /** The same part, whose mistakes are reported at its key instead of its value. */
  readonly key: Section;
  /** Returns the scalar as the file has it, before `${NAME}` was replaced; null for other nodes. */
  written(): string | null;
  readonly error: Report;
  readonly warn: Report;
  /** Reports something that is correct but worth knowing. */
  readonly note: Report;
}

/** Creates the section at a path of a file; without a path, that of the whole file. */
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

/** Warns of a secret that the file contains instead of the name of an environment variable. */
export function warnOfPlainSecret(section: Section): void {
  const written = section.written();
  if (written === null || written.includes("${")) return;
  const message = "a secret stands in this file; anybody who may read it may use it";
  section.warn("plain-secret", message, "Write ${NAME} and set that variable.");
}
