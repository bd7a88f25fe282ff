import { hashSha256Hex, encodeUtf8 } from "../../json/bytes.ts";
import type {
  FormWebhook,
  Submission,
  SubmissionFailure,
  SubmissionOutcome,
} from "../forms/types.ts";
import { describeMistake } from "../http/describe-mistake.ts";
import { readWebhookPermission } from "./allowed.ts";
import { signatureOf } from "./signature.ts";
import type { EmbeddedWebhook } from "../forms/demo-webhooks.ts";
import type { WebhookReply, WebhookTransport } from "./transport.ts";
import { z } from "zod";
import { actionSchema } from "../forms/schema.ts";

export interface WebhookCallerOptions {
  /** The hosts that webhooks may reach (see {@link readWebhookPermission}). Empty: none. */
  readonly allow: readonly string[];
  readonly transport: WebhookTransport;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The services in this process that answer `embedded:<name>`. Default: none. */
  readonly embedded?: ReadonlyMap<string, EmbeddedWebhook>;
}

export interface WebhookCaller {
  /** Sends a form's values once. `session` is the id of the session. Never rejects. */
  submit(submission: Submission, session: string): Promise<SubmissionOutcome>;
  close(): void;
}

/** Bytes of the largest response that is read. */
const RESPONSE_LIMIT = 65_536;

/**
 * Creates the caller of webhooks. By the protocol of docs/forms.md, it sends one POST of JSON, which
 * is signed if the form has a secret. It repeats no call, and follows no redirect.
 *
 * @example
 * const caller = createWebhookCaller({ allow: ["hooks.example.com"], transport, now: Date.now });
 * const outcome = await caller.submit(step.submit, session.id);
 */
export function createWebhookCaller({
  allow,
  transport,
  now,
  embedded = new Map(),
}: WebhookCallerOptions): WebhookCaller {
  return {
    async submit(submission, session) {
      const { webhook } = submission;
      if (webhook === null) return createFailed("refused", "the form has no webhook");
      const { url, timeout } = webhook;
      if (url.startsWith("embedded:")) {
        const answer = embedded.get(url.slice("embedded:".length));
        if (answer === undefined) return createFailed("refused", `nothing here answers ${url}`);
        return outcomeOf(callEmbedded(answer, submission, session), url);
      }
      const permission = readWebhookPermission(url, allow);
      if (permission === "refused") return createFailed("refused", describeNotAllowed(url));
      const body = bodyOf(submission, session);
      const reply = await transport.send({
        method: "POST",
        url,
        headers: await headersOf(
          webhook,
          await createSubmissionKey(submission, session),
          body,
          now(),
        ),
        body,
        timeout,
        trusted: permission === "named",
        limit: RESPONSE_LIMIT,
      });
      return outcomeOf(reply, new URL(url).host);
    },
    close: () => transport.close(),
  };
}

function callEmbedded(
  answer: EmbeddedWebhook,
  submission: Submission,
  session: string,
): WebhookReply {
  const body = encodeUtf8(answer(new TextDecoder().decode(bodyOf(submission, session))));
  const headers = new Map([["content-type", "application/json"]]);
  return { kind: "response", status: 200, headers, body };
}

function bodyOf(submission: Submission, session: string): Uint8Array<ArrayBuffer> {
  const { form, content, language, values, attempt } = submission;
  return encodeUtf8(JSON.stringify({ form, content, session, language, values, attempt }));
}

/** Creates the key by which a receiver recognizes a submission that is sent again after a crash. */
export async function createSubmissionKey(
  { content, form, begun, attempt, values }: Submission,
  session: string,
): Promise<string> {
  const identity = JSON.stringify([session, content, form, begun, attempt, values]);
  return (await hashSha256Hex(identity)).slice(0, 40);
}

async function headersOf(
  webhook: FormWebhook,
  key: string,
  body: Uint8Array<ArrayBuffer>,
  now: number,
): Promise<Readonly<Record<string, string>>> {
  const timestamp = String(Math.floor(now / 1000));
  return {
    ...webhook.headers,
    "content-type": "application/json",
    accept: "application/json",
    "accept-encoding": "identity",
    "user-agent": "Afterword",
    "idempotency-key": key,
    "x-afterword-timestamp": timestamp,
    ...(webhook.secret !== null && {
      "x-afterword-signature": await signatureOf(webhook.secret, timestamp, body),
    }),
  };
}

function outcomeOf(reply: WebhookReply, host: string): SubmissionOutcome {
  if (reply.kind === "failure") return createFailed(reply.reason, `${host}: ${reply.detail}`);
  const { status, headers, body } = reply;
  if (status >= 300 && status < 400) {
    return createFailed("redirect", `${host} answered ${status}: write the address it leads to`);
  }
  if (status < 200 || status > 299) return createFailed("status", `${host} answered ${status}`);
  const coding = headers.get("content-encoding") ?? "identity";
  if (coding.trim().toLowerCase() !== "identity" || !isJson(headers.get("content-type") ?? "")) {
    return createFailed("invalid-response", `${host} did not answer with plain application/json`);
  }
  return readResponse(host, body);
}

function isJson(contentType: string): boolean {
  return /^application\/(?:json|[\w.-]+\+json)\s*(?:;|$)/i.test(contentType.trim());
}

function describeNotAllowed(url: string): string {
  const host = URL.canParse(url) ? new URL(url).host : "the address";
  return `${host} is not an address that the configuration allows for webhooks`;
}

function createFailed(reason: SubmissionFailure, detail: string): SubmissionOutcome {
  return { kind: "failed", reason, detail };
}

/**
 * Reads the body of a webhook's response: `{"ok": true, "message"?, "variables"?, "actions"?}` or
 * `{"ok": false, "invalidFields": ["email"], "message"?}`. Any other body means that the call failed.
 */
function readResponse(host: string, bytes: Uint8Array): SubmissionOutcome {
  const written = parse(bytes);
  const result = response.safeParse(written, { error: describeMistake });
  if (!result.success) {
    const mistake = written === undefined ? "it is not JSON in UTF-8" : mistakeIn(result.error);
    const detail = `${host} gave an answer that docs/forms.md does not describe: ${mistake}`;
    return createFailed("invalid-response", detail);
  }
  const { data } = result;
  const message = data.message ?? null;
  if (!data.ok) return { kind: "invalid-fields", fields: data.invalidFields, message };
  const variables = Object.fromEntries(
    Object.entries(data.variables).map(([name, value]) => [name, String(value)] as const),
  );
  return { kind: "accepted", message, variables, actions: data.actions };
}

/** Names the key with the first mistake, without its value. Variables are read as a list. */
function mistakeIn({ issues: [issue] }: z.ZodError): string {
  const path = issue?.path.map(String) ?? [];
  const key = path[0] === "variables" ? "variables" : path.join(".");
  return `${key === "" ? "" : `${key}: `}${issue?.message ?? "it is not valid"}`;
}

const message = z.string().max(10_000).nullable().optional();

// A name begins with a letter, which excludes `__proto__`. Names with `sys_` belong to the engine.
const variableName = z.string().regex(/^(?!sys_)[a-z][\w.-]{0,99}$/i);
const variableValue = z.union([z.string().max(10_000), z.number(), z.boolean()]);

/** An object like that of `z.record`. It refuses the key `__proto__`, which `z.record` drops. */
const variables = z
  .custom<object>((value) => typeof value === "object" && value !== null && !Array.isArray(value))
  .transform((value) => Object.entries(value))
  .pipe(z.array(z.tuple([variableName, variableValue])).max(50))
  .transform((entries) => Object.fromEntries(entries));

const response = z.discriminatedUnion("ok", [
  z.strictObject({
    ok: z.literal(true),
    message,
    variables: variables.default({}),
    actions: z.array(actionSchema).max(10).default([]),
  }),
  z.strictObject({
    ok: z.literal(false),
    invalidFields: z.array(z.string().min(1).max(100)).min(1).max(50),
    message,
  }),
]);

/** Parses JSON in UTF-8; undefined for anything else. */
function parse(bytes: Uint8Array): unknown {
  try {
    const data: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return data;
  } catch {
    return undefined;
  }
}
