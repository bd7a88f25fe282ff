import { relative } from "node:path";
import type { Diagnostic } from "./diagnostic.ts";

export type DiagnosticFormat = "text" | "json" | "github";

/** For terminals, programs or GitHub; ends with a line break. Without diagnostics "", or `[]`. */
export function formatDiagnostics(
  diagnostics: readonly Diagnostic[],
  format: DiagnosticFormat,
): string {
  return FORMATS[format](diagnostics);
}

const FORMATS: Readonly<Record<DiagnosticFormat, (found: readonly Diagnostic[]) => string>> = {
  text: (found) => found.map((one) => `${asText(one)}\n`).join("\n"),
  json: (found) => `${JSON.stringify(found, null, 2)}\n`,
  github: (found) => found.map((one) => `${asAnnotation(one)}\n`).join(""),
};

function asText({ severity, code, message, file, line, column, frame, hint }: Diagnostic): string {
  // Of a file that could not be read no line is at fault.
  const place = code === "unreadable" && frame === "" ? file : `${file}:${line}:${column}`;
  const head = `${place}: ${severity}: ${visible(message)} [${code}]`;
  return [head, frame, hint ?? ""].filter((part) => part !== "").join("\n");
}

/** `::error file=…,line=…,col=…,title=…::message`, escaped as workflow commands want it. */
function asAnnotation(diagnostic: Diagnostic): string {
  const { severity, code, message, file, line, column, hint } = diagnostic;
  const properties = Object.entries({
    // Annotations are shown only for paths inside the checkout.
    file: relative(process.cwd(), file),
    line,
    col: column,
    title: `afterword ${code}`,
  }).map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  const body = hint === undefined ? message : `${message} ${hint}`;
  return `::${severity === "note" ? "notice" : severity} ${properties.join(",")}::${escapeData(visible(body))}`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** What was typed into a file must not steer the terminal it is shown in. */
function visible(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, " ");
}
