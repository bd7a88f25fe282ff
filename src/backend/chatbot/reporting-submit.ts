import type { BackendOptions } from "../options.ts";
import type { Submit } from "./scene.ts";

/** Submits forms, and tells `failed` of those that got no usable response. Without a `submit` that is all of them. */
export function reportingSubmit(
  submit: Submit = nowhere,
  failed: BackendOptions["webhookFailed"],
): Submit {
  return async (submission, session) => {
    const outcome = await submit(submission, session);
    if (outcome.kind === "failed") {
      const { form, content } = submission;
      failed?.({ form, content, reason: outcome.reason, detail: outcome.detail });
    }
    return outcome;
  };
}

const nowhere: Submit = () =>
  Promise.resolve({
    kind: "failed",
    reason: "refused",
    detail: "this backend was created without a way to call webhooks",
  });
