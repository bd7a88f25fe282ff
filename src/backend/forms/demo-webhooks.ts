import { z } from "zod";

/** Answers a submission without leaving the process: JSON text in, JSON text out. */
export type EmbeddedWebhook = (body: string) => string;

/**
 * The demo bot's order service, which demonstrates every answer of a webhook. The order number
 * selects it: `W-1404` is unknown (recoverable), `W-1405` names a field that the form does not have,
 * `W-1500` fails, and every other number is found.
 */
export const DEMO_WEBHOOKS: ReadonlyMap<string, EmbeddedWebhook> = new Map([
  ["orders", answerOrder],
]);

const submission = z.object({ values: z.object({ order: z.string() }) });

function answerOrder(body: string): string {
  const { data } = submission.safeParse(JSON.parse(body));
  switch (data?.values.order.toUpperCase()) {
    case "W-1404":
      return JSON.stringify({ ok: false, invalidFields: ["order"] });
    case "W-1405":
      return JSON.stringify({ ok: false, invalidFields: ["customer"] });
    case undefined:
    case "W-1500":
      return "<h1>Internal error</h1>";
    default:
      return JSON.stringify({ ok: true });
  }
}
