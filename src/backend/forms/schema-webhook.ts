import { z } from "zod";
import { duration } from "../../config/schema-values.ts";
import { shown } from "../shown.ts";
import { DEMO_WEBHOOKS } from "../webhooks/demo.ts";
import type { FormWebhook } from "./types.ts";

/** Milliseconds for a call when the content doesn't say. */
export const DEFAULT_TIMEOUT = 5000;

// Clients wait 30 s for an answer (docs/http.md); the engine needs a part of it.
const maxTimeout = 20_000;

const url = z.string().superRefine((written, ctx) => {
  // Answered by this process itself: see `DEMO_WEBHOOKS`.
  const complain = (message: string): void => ctx.addIssue({ code: "custom", message });
  if (written.startsWith("embedded:")) {
    if (DEMO_WEBHOOKS.has(written.slice("embedded:".length))) return;
    const known = [...DEMO_WEBHOOKS.keys()].map((name) => `embedded:${name}`).join(", ");
    complain(`nothing answers ${shown(written)}: write an https address, or the demo's ${known}`);
    return;
  }
  if (!/^https?:\/\//i.test(written) || !URL.canParse(written)) {
    complain("an address such as https://hooks.example.com/contact is needed here");
    return;
  }
  const { username, password } = new URL(written);
  if (username !== "" || password !== "") {
    complain("an address must not carry a user or password: use headers or secret");
  }
  if (written.includes("#")) complain("an address must not have a fragment");
});

const reserved =
  /^(?:content-|proxy-|x-afterword-|(?:accept-encoding|connection|cookie|expect|host|idempotency-key|keep-alive|te|trailer|transfer-encoding|upgrade|user-agent)$)/;

const headers = z
  .record(
    z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, "is no header name"),
    z.string().regex(/^[\x20-\x7e]{0,4096}$/, "may hold printable ASCII only"),
  )
  .superRefine((given, ctx) => {
    for (const name of Object.keys(given)) {
      if (reserved.test(name.toLowerCase())) {
        ctx.addIssue({ code: "custom", path: [name], message: `${name} is set by the engine` });
      }
    }
  });

/** `https://…`, or a mapping with `url`, `timeout` (`5s`), `secret` and `headers`. */
export const webhookSchema: z.ZodType<FormWebhook> = z.preprocess(
  (written) => (typeof written === "string" ? { url: written } : written),
  z.strictObject({
    url,
    timeout: duration
      .refine((value) => value >= 100 && value <= maxTimeout, {
        error: "must be from 100ms to 20s: a reader is waiting",
      })
      .default(DEFAULT_TIMEOUT),
    secret: z
      .string()
      .regex(/^\S{16,}$/, "must have at least 16 characters and no spaces")
      .nullable()
      .default(null),
    headers: headers.default({}),
  }),
);
