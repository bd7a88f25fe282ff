import { z } from "zod";
import { LIMITS } from "../call/limits.ts";
import { COMMON_ERRORS, operationsOf, createRow, loginTooLarge } from "../call/operation.ts";
import type { Operation } from "../call/operation.ts";

/** Base address per product, without a version. */
export type Apis = Readonly<Record<string, string>>;

export const apis: z.ZodType<Apis> = z.record(z.string(), z.string());

/** The answer of /auth and /refreshToken: `expiration` in Unix seconds, `expires_in` in seconds. */
const token = { accessToken: z.string(), expiration: z.int(), expires_in: z.int() };

const authorizeErrors: Operation["errors"] = [
  {
    status: 401,
    when: "The API key is unknown, the secret or `user_personal_secret` is wrong, or the page that sent the domain key is not on one of its domains.",
  },
  {
    status: 403,
    when: "A browser sent the secret, which must stay on servers. Browsers send a domain key instead.",
  },
  loginTooLarge,
  { status: 422, when: "The body cannot be read." },
  {
    status: 429,
    when: "The key has made too many calls. `Retry-After` says after how many seconds to call again.",
  },
];

/** Authentication and discovery (seed.md 3 and 4; chatbot.md 1). */
export const AUTH_OPERATIONS: readonly Operation[] = operationsOf(
  "auth",
  { credentials: "token", errors: [] },
  {
    authorize: createRow(
      "Issues an access token for an API key and its secret, or in a browser for the key and a domain key. `expiration` is in Unix seconds, `expires_in` in seconds. `apis` has the base address of every product.",
      z.object({ ...token, apis, isUserIdentified: z.literal(false) }),
      {
        domainKey: true,
        credentials: "key",
        body: z.object({
          secret: z
            .string()
            .max(LIMITS.secret)
            .describe("The secret of the API key; in a browser, a domain key"),
          user_personal_secret: z
            .string()
            .max(LIMITS.secret)
            .optional()
            .describe("A personal secret of the API key, beside its `secret`"),
        }),
        errors: authorizeErrors,
      },
    ),
    refresh: createRow(
      "Issues a new access token for one that is still valid. The answer has no `apis`: clients keep the addresses that they have.",
      z.object(token),
      {
        domainKey: true,
        credentials: "token",
        body: z.object({}),
        bodyOptional: true,
        errors: COMMON_ERRORS,
      },
    ),
    discover: createRow("Returns the base address of every product.", z.object({ apis }), {
      domainKey: true,
      errors: COMMON_ERRORS,
    }),
  },
);
