import type { Reporter } from "../../config/diagnostic.ts";
import { didYouMean } from "../../config/nearest.ts";
import type { Path } from "../../config/yaml.ts";
import { slotsIn } from "../forms/slots.ts";
import { webhookPermission } from "../webhooks/allowed.ts";
import { placeOf } from "./check-references.ts";
import type { LanguageDraft } from "./draft.ts";

/** What the configuration says that forms depend on. */
export interface FormSurroundings {
  /** Lower-case names of conversation variables that clients set. */
  readonly variables: ReadonlySet<string>;
  /** Hosts that webhooks may be on, see `webhookPermission`. */
  readonly webhooks: readonly string[];
}

/**
 * Warns of placeholders in a form's texts that nothing fills, and of a webhook that will not be
 * called.
 */
export function checkForms(
  language: LanguageDraft,
  { variables, webhooks }: FormSurroundings,
  reporter: Reporter,
): void {
  const forms = language.items.flatMap(({ value }) => value.form ?? []);
  const set = forms.flatMap(({ fields }) => fields.flatMap(({ variable }) => variable ?? []));
  for (const placed of language.items) {
    const { form } = placed.value;
    if (form === null) continue;
    const known = [...form.fields.map(({ name }) => name), ...set, ...variables];
    const look = (text: string, path: Path): void => {
      for (const slot of slotsIn(text)) {
        if (slot.startsWith("sys_") || known.includes(slot) || known.includes(slot.toLowerCase())) {
          continue;
        }
        const message = `{{${slot}}} is neither a field of this form nor a known variable; readers would see a gap.${didYouMean(slot, known)}`;
        const hint = "Variables that clients set are listed in an instance's variables.";
        const span = placeOf(placed, ["form", ...path]);
        reporter.warn(placed.file.source, span, "unknown-placeholder", message, hint);
      }
    };
    for (const [index, { question, errorMessage }] of form.fields.entries()) {
      look(question, ["fields", index, "question"]);
      look(errorMessage ?? "", ["fields", index, "errorMessage"]);
    }
    // A webhook may set variables of any name before this is said.
    if (form.webhook === null) look(form.finished ?? "", ["finished"]);
    else if (!isReached(form.webhook.url, webhooks)) {
      const host = new URL(form.webhook.url).host;
      const message = `the webhook is never called: ${host} is not in the configuration's backend.webhooks, and readers would get webhook-bad-request`;
      const span = placeOf(placed, ["form", "webhook"]);
      const hint = `Write backend: { webhooks: [${JSON.stringify(host)}] }.`;
      reporter.warn(placed.file.source, span, "webhook-refused", message, hint);
    }
  }
}

function isReached(url: string, allow: readonly string[]): boolean {
  return url.startsWith("embedded:") || webhookPermission(url, allow) !== "refused";
}
