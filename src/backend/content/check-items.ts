import { findMarkupFault } from "../../locales/markup.ts";
import { findInvisible } from "../../locales/plain-text.ts";
import type { Reporter } from "../../yaml/diagnostic.ts";
import type { Path } from "../../yaml/yaml.ts";
import { createRefuser, spanOf } from "./check-references.ts";
import { STANDS_IN } from "./read-parts.ts";
import type { LanguageDraft, Located } from "./draft.ts";
import type { FormDefinition } from "../forms/types.ts";
import type { WrittenItem } from "./schema.ts";
import { didYouMean, guessOf } from "../../yaml/nearest.ts";
import { slotsIn } from "../forms/slots.ts";
import { readWebhookPermission } from "../webhooks/allowed.ts";

/** Direct calls that the engine answers itself, and the flag to customize instead. */
const RESERVED_DIRECT_CALLS: ReadonlyMap<string, string> = new Map([
  ["sys-no-results", "no-results"],
  ["sys-welcome", "welcome"],
]);

/** Reports mistakes within single contents, and names that two contents share. */
export function checkItems(language: LanguageDraft, reporter: Reporter): void {
  const ids = new Set<number>();
  const slugs = new Set<string>();
  const calls = new Set<string>();
  for (const placed of language.items) {
    const { id, slug, directCall } = placed.value;
    const reportTwice = <T>(seen: Set<T>, value: T, key: string): void => {
      if (seen.has(value)) {
        const message = `${key} ${String(value)} is used twice in ${language.language}`;
        createRefuser(placed, reporter)([key], "duplicate", message);
      }
      seen.add(value);
    };
    reportTwice(ids, id, "id");
    if (slug !== undefined) reportTwice(slugs, slug, "slug");
    if (directCall !== null) {
      reportTwice(calls, directCall, "directCall");
      checkDirectCall(directCall, placed, language, reporter);
    }
    checkTimes(placed, reporter);
    checkMarkup(placed, reporter);
  }
}

function checkDirectCall(
  name: string,
  placed: Located<WrittenItem>,
  { customized }: LanguageDraft,
  reporter: Reporter,
): void {
  const flag = RESERVED_DIRECT_CALLS.get(name);
  if (flag === undefined) return;
  const { id } = placed.value;
  // The content that customizes this flag may have the direct call as well.
  if (customized.some(({ value }) => value.flag === flag && value.content === id)) return;
  reporter.error(
    placed.file.source,
    spanOf(placed, ["directCall"]),
    "invalid-value",
    `${name} is answered by the engine itself`,
    `Write customized: { ${flag}: ${id} } to answer it with this content.`,
  );
}

function checkTimes(placed: Located<WrittenItem>, reporter: Reporter): void {
  const { publishFrom, expires } = placed.value;
  if (publishFrom === null || expires === null || expires > publishFrom) return;
  const message = "this content would expire before it is published";
  createRefuser(placed, reporter)(["expires"], "invalid-value", message);
}

function checkMarkup(placed: Located<WrittenItem>, reporter: Reporter): void {
  const look = (text: string, path: Path): void => {
    const fault = findMarkupFault(text);
    if (fault !== null) {
      reporter.error(placed.file.source, spanOf(placed, path), "markup", fault.message, null, {
        tag: fault.tag,
      });
    }
    lookForInvisible(text, path);
  };
  const lookForInvisible = (text: string, path: Path): void => {
    const code = findInvisible(text);
    if (code === null) return;
    const message = `the invisible character ${code} stands in this text`;
    const span = spanOf(placed, path);
    reporter.warn(placed.file.source, span, "invisible-character", message, "Take it out.", {
      character: code,
    });
  };
  const { title, answer, sideBubble, checkQuestion, form } = placed.value;
  lookForInvisible(title, ["title"]);
  // If the answer is one text instead of a list, `locate` stops at the key `answer`.
  for (const [index, text] of answer.entries()) look(text, ["answer", index]);
  look(sideBubble, ["sideBubble"]);
  look(checkQuestion ?? "", ["checkQuestion"]);
  look(form?.finished ?? "", ["form", "finished"]);
  for (const [index, { question, errorMessage }] of form?.fields.entries() ?? []) {
    look(question, ["form", "fields", index, "question"]);
    look(errorMessage ?? "", ["form", "fields", index, "errorMessage"]);
  }
}

/** The part of the configuration that forms depend on. */
export interface FormDependencies {
  /** Lower-case names of conversation variables that clients set. */
  readonly variables: ReadonlySet<string>;
  /** Hosts that webhooks may be on, see `webhookPermission`. */
  readonly webhooks: readonly string[];
}

/** Warns of a form's unfilled placeholders, and of a webhook that will not be called. */
export function checkForms(
  language: LanguageDraft,
  { variables, webhooks }: FormDependencies,
  reporter: Reporter,
): void {
  const forms = language.items.flatMap(({ value }) => value.form ?? []);
  const set = forms.flatMap(({ fields }) => fields.flatMap(({ variable }) => variable ?? []));
  for (const placed of language.items) {
    const { form } = placed.value;
    if (form === null) continue;
    const known = [...form.fields.map(({ name }) => name), ...set, ...variables];
    if (form.ticket) known.push("ticket");
    const look = (text: string, path: Path): void => {
      for (const slot of slotsIn(text)) {
        if (slot.startsWith("sys_") || known.includes(slot) || known.includes(slot.toLowerCase())) {
          continue;
        }
        const message = `{{${slot}}} is neither a field of this form nor a known variable; readers would see a gap.${didYouMean(slot, known)}`;
        const hint = "Variables that clients set are listed in an instance's variables.";
        const span = spanOf(placed, ["form", ...path]);
        const params = { placeholder: `{{${slot}}}`, ...guessOf(slot, known) };
        reporter.warn(placed.file.source, span, "unknown-placeholder", message, hint, params);
      }
    };
    for (const [index, { question, errorMessage }] of form.fields.entries()) {
      look(question, ["fields", index, "question"]);
      look(errorMessage ?? "", ["fields", index, "errorMessage"]);
    }
    // A webhook may set variables of any name before the closing text is filled.
    checkReceiver(placed, form, reporter);
    if (form.webhook === null) look(form.finished ?? "", ["finished"]);
    else if (!isReached(form.webhook.url, webhooks)) {
      const host = new URL(form.webhook.url).host;
      const message = `the webhook is never called: ${host} is not in the configuration's backend.webhooks, and readers would get webhook-bad-request`;
      const span = spanOf(placed, ["form", "webhook"]);
      const hint = `Write backend: { webhooks: [${JSON.stringify(host)}] }.`;
      reporter.warn(placed.file.source, span, "webhook-refused", message, hint, { host });
    }
  }
}

function isReached(url: string, allow: readonly string[]): boolean {
  // An address with a missing variable is not known.
  if (url.includes(STANDS_IN)) return true;
  return url.startsWith("embedded:") || readWebhookPermission(url, allow) !== "refused";
}

/** Warns of a form without webhook, ticket, action or variable, whose values are lost. */
function checkReceiver(
  placed: Located<unknown>,
  { name, webhook, ticket, actions, fields }: FormDefinition,
  reporter: Reporter,
): void {
  const isKept = fields.some(({ variable }) => variable !== null);
  if (webhook !== null || ticket || actions.length > 0 || isKept) return;
  const message = `nobody receives what readers type into the form "${name}"`;
  const [setting, key] = ["ticket: false", "webhook"];
  const hint = `Leave ${setting} away, so that it becomes a ticket, or give the form a ${key}.`;
  const span = spanOf(placed, ["form", "ticket"]);
  reporter.warn(placed.file.source, span, "form-goes-nowhere", message, hint, { setting, key });
}
