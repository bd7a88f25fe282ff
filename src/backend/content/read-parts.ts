import { memberOf } from "../../api/call/read.ts";
import type { Reporter } from "../../yaml/diagnostic.ts";
import { parseWith } from "../../yaml/schema-issues.ts";
import type { Path, YamlFile } from "../../yaml/yaml.ts";
import type { Environment } from "../../yaml/source.ts";
import { isObject, isRecord } from "../../json/values.ts";
import { membersOf } from "../http/request-body.ts";
import { type ContentDraft, draftOf, type LanguageDraft } from "./draft.ts";
import {
  appDataSchema,
  categorySchema,
  customizedSchema,
  fileKeys,
  language,
  synonymsSchema,
  itemSchema,
} from "./schema.ts";

/** Adds a content file to the draft. Reads parts and contents one by one to find all mistakes. */
export function readParts(
  file: YamlFile,
  draft: ContentDraft,
  environment: Environment | null,
  reporter: Reporter,
): void {
  parseWith(fileKeys, file, file.value ?? {}, reporter);
  const parts = membersOf(file.value);
  readAppData(file, parts.get("appData"), draft, reporter);

  const mine = readLanguage(file, parts, draft, reporter);
  if (mine === null) return;
  readLanguageParts(file, mine, environment, reporter);
}

/** Adds what a file or a row of a database says in one language to its draft. */
export function readLanguageParts(
  file: YamlFile,
  mine: LanguageDraft,
  environment: Environment | null,
  reporter: Reporter,
): void {
  const parts = membersOf(file.value);
  for (const [index, one] of listIn(parts, "contents").entries()) {
    readItem({ value: one, file, base: ["contents", index] }, mine, environment, reporter);
  }
  for (const [index, one] of listIn(parts, "categories").entries()) {
    const base = ["categories", index];
    const category = parseWith(categorySchema, file, one, reporter, base);
    if (category === null) mine.brokenCategories.add(idOf(one));
    else mine.categories.push({ value: category, file, base });
  }
  const customized = parts.get("customized") ?? {};
  const flags = parseWith(customizedSchema, file, customized, reporter, ["customized"]);
  for (const [flag, content] of Object.entries(flags ?? {})) {
    mine.customized.push({ value: { flag, content }, file, base: ["customized", flag] });
  }
  const synonyms = parts.get("synonyms") ?? [];
  mine.synonyms.push(...(parseWith(synonymsSchema, file, synonyms, reporter, ["synonyms"]) ?? []));
}

/** Adds one content to the draft of its language. */
export function readItem(
  { value, file, base }: { readonly value: unknown; readonly file: YamlFile; readonly base: Path },
  draft: LanguageDraft,
  environment: Environment | null,
  reporter: Reporter,
): void {
  const filled = withSecrets(value, file, base, environment, reporter);
  const item = parseWith(itemSchema, file, filled, reporter, base);
  if (item === null) draft.broken.add(idOf(value));
  else draft.items.push({ value: item, file, base });
}

function readLanguage(
  file: YamlFile,
  parts: ReadonlyMap<string, unknown>,
  draft: ContentDraft,
  reporter: Reporter,
): LanguageDraft | null {
  if (parts.has("language")) {
    const written = parts.get("language");
    const tag = parseWith(language, file, written, reporter, ["language"]);
    return tag === null ? null : draftOf(draft, tag);
  }
  for (const part of ["contents", "categories", "customized", "synonyms"]) {
    if (parts.get(part) === undefined) continue;
    const message = `${part} need a language: at the top of the file`;
    reporter.error(file.source, file.locate([part], "key"), "missing-key", message);
    return null;
  }
  return null;
}

function readAppData(
  file: YamlFile,
  written: unknown,
  draft: ContentDraft,
  reporter: Reporter,
): void {
  const appData = parseWith(appDataSchema, file, written ?? {}, reporter, ["appData"]) ?? {};
  for (const [id, values] of Object.entries(appData)) {
    if (draft.appData.has(id)) {
      const message = `app data "${id}" is defined twice`;
      reporter.error(file.source, file.locate(["appData", id], "key"), "duplicate", message);
      continue;
    }
    draft.appData.set(
      id,
      Object.entries(values).map(([name, value]) => ({ name, value })),
    );
  }
}

function listIn(parts: ReadonlyMap<string, unknown>, key: string): readonly unknown[] {
  const list = parts.get(key);
  return Array.isArray(list) ? list : [];
}

/** Returns the id of an invalid entry, or 0, which is never an id. */
function idOf(written: unknown): number {
  const id = memberOf(written, "id");
  return typeof id === "number" ? id : 0;
}

/** `$${` is a literal `${`, as in the configuration. */
const REFERENCE = /\$\$\{|\$\{([^}$]*)\}/g;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Fills in each `${NAME}` of a content's `form.webhook` from the environment. Only webhooks have
 * addresses and secrets; elsewhere `${` may be text for readers. A missing variable is reported at
 * its position.
 */
function withSecrets(
  item: unknown,
  file: YamlFile,
  base: Path,
  environment: Environment | null,
  reporter: Reporter,
): unknown {
  const form = memberOf(item, "form");
  const webhook = memberOf(form, "webhook");
  if (!isObject(item) || !isObject(form) || webhook === null) return item;
  const filled = fill(webhook, [...base, "form", "webhook"]);
  return { ...item, form: { ...form, webhook: filled } };

  function fill(value: unknown, path: Path): unknown {
    if (typeof value === "string") return fillText(value, path);
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, fill(inner, [...path, key])]),
    );
  }

  function fillText(text: string, path: Path): string {
    return text.replace(REFERENCE, (reference, name: string | undefined) => {
      if (name === undefined) return "${";
      if (environment === null) return STANDS_IN;
      const known = NAME.test(name) && Object.hasOwn(environment, name);
      const value = known ? environment[name] : undefined;
      if (value !== undefined) return value;
      const message = NAME.test(name)
        ? `the environment variable ${name} is not set`
        : `"${reference}" does not name an environment variable`;
      reporter.error(file.source, file.locate(path), "environment", message);
      return STANDS_IN;
    });
  }
}

/**
 * Replaces a missing variable. It is valid as an address and long enough for a secret, and no host
 * has this name (RFC 2606, 2).
 */
export const STANDS_IN = "http://unset.invalid";
