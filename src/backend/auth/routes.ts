import { Hono } from "hono";
import { errorAnswer, unauthorized } from "../error-answers.ts";
import { textOf } from "../field-values.ts";
import { rawFormValue } from "../form.ts";
import { AUTHENTICATION_BODY, readBody } from "../request-body.ts";
import type { Access } from "./access.ts";
import { grantFor } from "./grant.ts";
import type { Tokens } from "./tokens.ts";

export interface AuthOptions {
  readonly access: Access;
  readonly tokens: Tokens;
  /** Base address of every product that is there, for a token that was issued at `address`. */
  readonly apis: (address: string) => Readonly<Record<string, string>>;
  readonly bodyLimit: number;
}

/** POST /auth, POST /refreshToken and GET /apis, relative to where they are mounted. */
export function authRoutes({ access, tokens, apis, bodyLimit }: AuthOptions): Hono {
  const routes = new Hono({ strict: false });

  routes.post("/auth", async (c) => {
    const { headers } = c.req.raw;
    return access.withKey(c, "authorization", async (credential) => {
      const body = await readBody(c.req.raw, Math.min(AUTHENTICATION_BODY, bodyLimit));
      if (!body.ok) return errorAnswer(c.req.path, body.status, body.message);
      const { fields, text } = body;
      // Clients send `secret=…` as it is, not percent-encoded: a plus sign in it is a plus sign.
      const readings = (name: string): readonly string[] =>
        [textOf(fields[name]), rawFormValue(text, name)].filter((value) => value !== null);
      const address = new URL(c.req.url).origin;
      const grant = await grantFor(credential, {
        secrets: readings("secret"),
        personalSecrets: readings("user_personal_secret"),
        origin: headers.get("origin"),
        address,
      });
      if (grant === null) return unauthorized(c.req.path);
      if (grant === "browser-secret") return secretInBrowser(c.req.path);
      return noStore({ ...(await tokens.issue(credential, grant)), apis: apis(address) });
    });
  });

  // The answer has no `apis`: clients keep those they got with the first token.
  routes.post(
    "/refreshToken",
    access.guarded(
      "auth.refresh",
      async (c, credential, { domainKey, person }) => {
        const address = new URL(c.req.url).origin;
        return noStore(await tokens.issue(credential, { domainKey, person, address }));
      },
      "authorization",
    ),
  );

  // By the token and not by the request: addresses change from one token to the next, and never
  // within one.
  routes.get(
    "/apis",
    access.guarded(
      "auth.discover",
      (_c, _credential, { address }) => noStore({ apis: apis(address) }),
      "authorization",
    ),
  );

  return routes;
}

function secretInBrowser(path: string): Response {
  return errorAnswer(
    path,
    403,
    "A secret must not be sent from a browser, where everybody can read it: use a domain key there.",
  );
}

function noStore(body: object): Response {
  return Response.json(body, { headers: { "cache-control": "no-store" } });
}
