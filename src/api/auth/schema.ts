import { z } from "zod";
import { LIMITS } from "../call/limits.ts";
import { COMMON_ERRORS, operationsOf, createRow } from "../call/operation.ts";
import type { Operation } from "../call/operation.ts";

/** Base address per product, without a version. */
export type Apis = Readonly<Record<string, string>>;

export const apis: z.ZodType<Apis> = z.record(z.string(), z.string());

/** The answer of /auth and /refreshToken: `expiration` in Unix seconds, `expires_in` in seconds. */
const token = { accessToken: z.string(), expiration: z.int(), expires_in: z.int() };

const authorizeErrors: Operation["errors"] = [
  { status: 401, when: "The API key is unknown, or the secret is not the key's." },
  { status: 403, when: "A browser sent the secret, which must stay on servers: use a domain key." },
  { status: 413, when: "The body is larger than 16 KiB." },
  { status: 422, when: "The body cannot be read." },
  { status: 429, when: "Too many calls; Retry-After says when to come back." },
];

/** Authentication and discovery (seed.md 3 and 4; chatbot.md 1). */
export const AUTH_OPERATIONS: readonly Operation[] = operationsOf(
  "auth",
  { credentials: "token", errors: [] },
  {
    authorize: createRow(
      "Exchange an API key and a secret (in a browser: a domain key) for an access token.",
      z.object({ ...token, apis, isUserIdentified: z.literal(false) }),
      {
        domainKey: true,
        credentials: "key",
        body: z.object({
          secret: z.string().max(LIMITS.secret),
          user_personal_secret: z.string().max(LIMITS.secret).optional(),
        }),
        errors: authorizeErrors,
      },
    ),
    refresh: createRow(
      "Exchange a valid access token for a new one. The answer has no `apis`.",
      z.object(token),
      {
        domainKey: true,
        credentials: "token",
        body: z.object({}),
        bodyOptional: true,
        errors: COMMON_ERRORS,
      },
    ),
    discover: createRow("The current base address of every product.", z.object({ apis }), {
      domainKey: true,
      errors: COMMON_ERRORS,
    }),
  },
);
