import { Hono } from "hono";
import { unauthorized } from "../error-answers.ts";
import { textOf } from "../field-values.ts";
import { rawFormValue } from "../form.ts";
import { readBody } from "../request-body.ts";
import type { Access } from "./access.ts";
import { secretMatches } from "./credentials.ts";
import type { Tokens } from "./tokens.ts";

export interface AuthOptions {
  readonly access: Access;
  readonly tokens: Tokens;
  /** Base address of every product that is there, for a request that came to `url`. */
  readonly apis: (url: string) => Readonly<Record<string, string>>;
  readonly bodyLimit: number;
}

/** POST /auth, POST /refreshToken and GET /apis, relative to where they are mounted. */
export function authRoutes({ access, tokens, apis, bodyLimit }: AuthOptions): Hono {
  const routes = new Hono({ strict: false });

  routes.post("/auth", async (c) => {
    const body = await readBody(c.req.raw, bodyLimit);
    if (!body.ok) return body.response;
    const caller = await access.credential(c.req.raw.headers);
    if (caller === null) return unauthorized();
    // Clients send `secret=…` as it is, not percent-encoded: a plus sign in it is a plus sign.
    const sent = [textOf(body.fields["secret"]), rawFormValue(body.text, "secret")];
    for (const secret of sent) {
      if (secret !== null && (await secretMatches(caller, secret))) {
        return noStore({ ...(await tokens.issue(caller)), apis: apis(c.req.url) });
      }
    }
    return unauthorized();
  });

  // The answer has no `apis`: clients keep those they got with the first token.
  routes.post(
    "/refreshToken",
    access.guarded(async (_c, caller) => noStore(await tokens.issue(caller))),
  );

  routes.get(
    "/apis",
    access.guarded((c) => noStore({ apis: apis(c.req.url) })),
  );

  return routes;
}

function noStore(body: object): Response {
  return Response.json(body, { headers: { "cache-control": "no-store" } });
}
