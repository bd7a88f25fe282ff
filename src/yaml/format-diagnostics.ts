import { relative } from "node:path";
import { type Diagnostic, diagnosticsAsText, toVisible } from "./diagnostic.ts";

export type DiagnosticFormat = "text" | "json" | "github";

/**
 * Diagnostics for a terminal (with code frames), for programs, or as annotations of a GitHub
 * workflow. Ends with a line break; an empty string for no diagnostics, `[]` as JSON.
 */
export function formatDiagnostics(
  diagnostics: readonly Diagnostic[],
  format: DiagnosticFormat,
): string {
  return FORMATS[format](diagnostics);
}

const FORMATS: Readonly<Record<DiagnosticFormat, (found: readonly Diagnostic[]) => string>> = {
  text: diagnosticsAsText,
  json: (found) => `${JSON.stringify(found, null, 2)}\n`,
  github: (found) => found.map((one) => `${formatAnnotation(one)}\n`).join(""),
};

/** `::error file=…,line=…,col=…,title=…::message`, escaped as workflow commands want it. */
function formatAnnotation(diagnostic: Diagnostic): string {
  const { severity, code, message, file, line, column, hint } = diagnostic;
  const properties = Object.entries({
    // Annotations are shown only for paths inside the checkout.
    file: relative(process.cwd(), file),
    line,
    col: column,
    title: `afterword ${code}`,
  }).map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  const end = /[.!?]$/.test(message) ? "" : ".";
  const body = hint === undefined ? message : `${message}${end} ${hint}`;
  return `::${severity === "note" ? "notice" : severity} ${properties.join(",")}::${escapeData(toVisible(body))}`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
