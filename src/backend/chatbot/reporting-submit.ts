import type { BackendOptions } from "../options.ts";
import { toPrintable } from "../http/refusal.ts";
import type { Submit } from "./turn-context.ts";

/**
 * Submits forms, and reports to `failed` those without a usable response; without `submit` these
 * are all. A response that names unknown fields is reported too, although the form itself tells the
 * reader (`webhook-wrong-field`).
 */
export function createReportingSubmit(
  submit: Submit = refuseSubmission,
  failed: BackendOptions["webhookFailed"],
): Submit {
  return async (submission, session) => {
    const outcome = await submit(submission, session);
    const { form, content, fields } = submission;
    if (outcome.kind === "failed") {
      failed?.({ form, content, reason: outcome.reason, detail: outcome.detail });
    }
    if (outcome.kind === "invalid-fields") {
      const unknown = outcome.fields.filter((name) => !fields.includes(name)).map(toPrintable);
      const detail = `the webhook calls fields invalid that the form does not have (${unknown.slice(0, 3).join(", ")}); it has ${fields.join(", ")}`;
      if (unknown.length > 0) failed?.({ form, content, reason: "unknown-field", detail });
    }
    return outcome;
  };
}

const refuseSubmission: Submit = () =>
  Promise.resolve({
    kind: "failed",
    reason: "refused",
    detail: "this backend was created without a way to call webhooks",
  });
