import { closeSync, openSync, readSync } from "node:fs";
import { isObject } from "../../json/values.ts";

/** What is said of a file that another bot has exported. */
export function exportMessage(program: string): string {
  return `this is an export of ${program}, which is not read as it is: docs/import.md shows how to make contents of it`;
}

/** The program that exported this JSON, or null. */
export function exporterOf(value: unknown): string | null {
  const entry: unknown = Array.isArray(value) ? value[0] : value;
  if (!isObject(entry)) return null;
  const has = (...keys: readonly string[]): boolean =>
    keys.every((key) => Object.hasOwn(entry, key));
  if (has("dialog_nodes") || (has("workspace_id") && has("intents"))) return "Watson Assistant";
  if (
    has("qnas") ||
    (has("data", "id") && isObject(entry["data"]) && "questions" in entry["data"])
  ) {
    return "Botpress";
  }
  if (has("rasa_nlu_data") || has("nlu", "version")) return "Rasa";
  if (has("userSays") || (has("responses", "name") && has("contexts"))) return "Dialogflow";
  if (Array.isArray(entry["data"]) && has("isTemplate")) return "Dialogflow";
  if (has("trainingPhrases") || has("defaultLanguageCode")) return "Dialogflow";
  if (has("nodeDataArray", "linkDataArray")) return "a dialog editor (a diagram of GoJS)";
  return null;
}

/** The program that exported this YAML file, or null, also where it cannot be read. */
export function exporterOfYaml(file: string): string | null {
  const text = beginningOf(file);
  const isRasa = /^(?:nlu|stories|rules|responses|intents|e2e_responses):\s*$/mu.test(text);
  return isRasa && !/^(?:contents|language):/mu.test(text) ? "Rasa" : null;
}

function beginningOf(file: string): string {
  try {
    const opened = openSync(file, "r");
    try {
      const bytes = Buffer.alloc(65_536);
      return bytes.toString("utf8", 0, readSync(opened, bytes));
    } finally {
      closeSync(opened);
    }
  } catch {
    return "";
  }
}
