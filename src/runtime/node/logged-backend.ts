import { basename } from "node:path";
import type { ContentRefusal, ContentTaken } from "../../backend/content/source.ts";
import { openBackend, type OpenBackend, type OpenBackendOptions } from "../../backend/node.ts";
import { isOutage } from "../../errors.ts";
import type { Metrics } from "../../gateway/exchange/metrics.ts";
import type { Logger } from "../../gateway/exchange/platform.ts";
import type { RefusedCredentials } from "../../gateway/exchange/refused-credentials.ts";
import type { BackendAccess } from "./credentials/demo-credentials.ts";
import { loadKeys, TOKEN_KEYS } from "./credentials/keys.ts";

/** A backend whose failures, refusals and changed contents are in the log of its process. */
export interface LoggedBackend extends OpenBackend {
  /** @param everything also paths and messages, which may quote a file */
  contentState(everything: boolean): ContentState;
  /** Limits reports of wrong credentials, and counts outages and contents if there are metrics. */
  reportTo(refused: RefusedCredentials, metrics?: Metrics): void;
}

interface LoggedBackendOptions extends Omit<
  OpenBackendOptions,
  | "contentRefused"
  | "contentTaken"
  | "credentials"
  | "demo"
  | "mailFailed"
  | "mailboxFailed"
  | "refusedCredential"
  | "report"
  | "signingKeys"
  | "webhookFailed"
> {
  readonly access: BackendAccess;
  /** The directory of the keys that sign tokens, if `env` has none. */
  readonly data: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
}

/** Opens the backend with the keys of this process; `serve` and `afterword backend` run it. */
export async function openLoggedBackend(options: LoggedBackendOptions): Promise<LoggedBackend> {
  const { access, data, env, log, ...rest } = options;
  const content = createContentRecord(log, Date.now);
  let refused: RefusedCredentials | null = null;
  let metrics: Metrics | null = null;
  const backend = await openBackend({
    ...rest,
    signingKeys: await loadKeys(TOKEN_KEYS, env, data),
    demo: access.demo,
    credentials: access.entries,
    report(error, request) {
      const fields = { route: "backend", ...request };
      if (!isOutage(error)) {
        return log("error", "internal-error", { ...fields, detail: String(error) });
      }
      metrics?.count("afterword_store_failures_total", "backend");
      log("warn", "store-unavailable", { ...fields, detail: error.message });
    },
    webhookFailed: ({ form, reason, detail }) =>
      log("warn", "webhook-failed", { form, reason, detail }),
    mailFailed: ({ mail, state }) => log("warn", "mail-failed", { mail, state }),
    mailboxFailed: (detail) => log("warn", "mailbox-unreadable", { detail }),
    refusedCredential: ({ kind, address }) => refused?.note(kind, address),
    contentRefused: content.contentRefused,
    contentTaken: content.contentTaken,
  });
  return {
    ...backend,
    contentState: content.state,
    reportTo(credentials, counters) {
      refused = credentials;
      if (counters === undefined) return;
      metrics = counters;
      content.countWith(counters);
    },
  };
}

/** Whether the contents on the disk are in force, as /_afterword/ready shows it. */
export interface ContentState {
  /** `failed`: earlier contents are in force. */
  readonly state: "ok" | "failed";
  /** When that was decided. ISO 8601. */
  readonly at: string;
  /** How many mistakes there are. Absent means none, or they could not be looked at. */
  readonly errors?: number;
  /** The first of them with its place, or why they could not be looked at. */
  readonly detail?: string;
}

/** Reports content changes in the log, and a gateway's metrics and /_afterword/ready. */
interface ContentRecord {
  readonly contentRefused: (refusal: ContentRefusal) => void;
  readonly contentTaken: (news: ContentTaken) => void;
  countWith(metrics: Metrics): void;
  readonly state: LoggedBackend["contentState"];
}

/** @param now milliseconds since the epoch */
function createContentRecord(log: Logger, now: () => number): ContentRecord {
  let metrics: Metrics | null = null;
  let at = now();
  let refusal: ContentRefusal | null = null;

  return {
    contentTaken({ contents, mended }) {
      decide(null);
      log("info", "content-reloaded", { contents, mended });
    },
    contentRefused(found) {
      decide(found);
      const { error } = found;
      // Nothing is wrong with the contents when their database does not answer.
      if (isOutage(error)) {
        return log("warn", "store-unavailable", { route: "backend", detail: error.message });
      }
      log("warn", "content-refused", factsOf(found));
    },
    countWith(counters) {
      metrics = counters;
      counters.gauge(
        "afterword_content_reload_failed",
        "1 while changed contents of the embedded backend cannot be used.",
        () => (refusal === null ? 0 : 1),
      );
    },
    state(everything) {
      const decided = new Date(at).toISOString();
      if (refusal === null) return { state: "ok", at: decided };
      return { state: "failed", at: decided, ...(everything ? factsOf(refusal) : hintOf(refusal)) };
    },
  };

  function decide(found: ContentRefusal | null): void {
    at = now();
    refusal = found;
    const result = found === null ? "ok" : "failed";
    metrics?.count("afterword_content_reloads_total", result);
  }
}

function factsOf(refusal: ContentRefusal): { readonly errors?: number; readonly detail: string } {
  const errors = errorsIn(refusal);
  const [first] = errors;
  if (first === undefined) return { detail: String(refusal.error) };
  const detail = `${first.file}:${first.line}:${first.column}: ${first.message}`;
  return { errors: errors.length, detail };
}

function hintOf(refusal: ContentRefusal): { readonly errors?: number; readonly detail?: string } {
  const errors = errorsIn(refusal);
  const [first] = errors;
  if (first === undefined) return {};
  const detail = `${basename(first.file)}:${first.line}:${first.column}`;
  return { errors: errors.length, detail };
}

function errorsIn({ diagnostics }: ContentRefusal): ContentRefusal["diagnostics"] {
  return diagnostics.filter(({ severity }) => severity === "error");
}
