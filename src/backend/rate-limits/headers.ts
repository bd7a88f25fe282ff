import { errorAnswer } from "../error-answers.ts";
import type { RateDecision } from "./rate-limits.ts";

/** 429 with `Retry-After` in seconds. */
export function tooManyCalls(path: string, decision: RateDecision): Response {
  const response = errorAnswer(
    path,
    429,
    `Too many calls with this key. Call again in ${decision.retryAfter} seconds.`,
  );
  response.headers.set("retry-after", String(decision.retryAfter));
  return withUsage(response, decision);
}

/** The response with the four headers by which a client sees how near it is to its limits. */
export function withUsage(response: Response, decision: RateDecision): Response {
  const fields = {
    "x-quota-usage": decision.quotaUsage,
    "x-quota-reset": decision.quotaReset,
    "x-throttle-usage": decision.throttleUsage,
    "x-throttle-reset": decision.throttleReset,
  };
  for (const [name, value] of Object.entries(fields)) response.headers.set(name, String(value));
  return response;
}
