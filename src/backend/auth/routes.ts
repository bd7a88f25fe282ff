import { type Context, Hono } from "hono";
import { createErrorAnswer, answerUnauthorized } from "../http/refusal.ts";
import { AUTHENTICATION_BODY, readBody, readRawFormValue, textOf } from "../http/request-body.ts";
import type { Access } from "./access.ts";
import type { Tokens, TokenGrant } from "./tokens.ts";
import { type Credential, matchesSecret, isOriginAllowed } from "./credentials.ts";

export interface AuthOptions {
  readonly access: Access;
  readonly tokens: Tokens;
  /** Returns the base address of each served product, for a token that was issued at `address`. */
  readonly apis: (address: string) => Readonly<Record<string, string>>;
  readonly bodyLimit: number;
  /** Called when a caller sent a wrong secret. Default: nothing happens. */
  readonly refusedSecret?: (c: Context) => void;
}

/** POST /auth, POST /refreshToken and GET /apis, relative to where they are mounted. */
export function createAuthRoutes(options: AuthOptions): Hono {
  const { access, tokens, apis, bodyLimit, refusedSecret } = options;
  const routes = new Hono({ strict: false });

  routes.post("/auth", async (c) => {
    const { headers } = c.req.raw;
    return access.withKey(c, "authorization", async (credential) => {
      const body = await readBody(c.req.raw, Math.min(AUTHENTICATION_BODY, bodyLimit));
      if (!body.ok) return createErrorAnswer(c.req.path, body.status, body.message);
      const { fields, text } = body;
      // Some clients do not percent-encode `secret=…`, so a plus sign may be literal.
      const listReadings = (name: string): readonly string[] =>
        [textOf(fields[name]), readRawFormValue(text, name)].filter((value) => value !== null);
      const address = new URL(c.req.url).origin;
      const secrets = listReadings("secret");
      const grant = await grantFor(credential, {
        secrets,
        personalSecrets: listReadings("user_personal_secret"),
        origin: headers.get("origin"),
        address,
      });
      if (grant === null) {
        if (secrets.length > 0) refusedSecret?.(c);
        return answerUnauthorized(c.req.path);
      }
      if (grant === "browser-secret") return refuseSecretInBrowser(c.req.path);
      const token = await tokens.issue(credential, grant);
      // Typed clients require `isUserIdentified`, though no token identifies a reader.
      return answerUncached({ ...token, apis: apis(address), isUserIdentified: false });
    });
  });

  // The answer has no `apis`: clients keep those they got with the first token.
  routes.post(
    "/refreshToken",
    access.guard(
      "auth.refresh",
      async (c, credential, { domainKey, person }) => {
        const address = new URL(c.req.url).origin;
        return answerUncached(await tokens.issue(credential, { domainKey, person, address }));
      },
      "authorization",
    ),
  );

  // Addresses depend on the token and not on the request, so that they never change under a token.
  routes.get(
    "/apis",
    access.guard(
      "auth.discover",
      (_c, _credential, { address }) => answerUncached({ apis: apis(address) }),
      "authorization",
    ),
  );

  return routes;
}

function refuseSecretInBrowser(path: string): Response {
  return createErrorAnswer(
    path,
    403,
    "A secret must not be sent from a browser, where everybody can read it: use a domain key there.",
  );
}

function answerUncached(body: object): Response {
  return Response.json(body, { headers: { "cache-control": "no-store" } });
}

/** The credentials that a caller of /auth sent. */
interface PresentedCredentials {
  /** Readings of the secret or domain key: clients send it raw or percent-encoded. */
  readonly secrets: readonly string[];
  readonly personalSecrets: readonly string[];
  /** The Origin header; null outside of a browser. */
  readonly origin: string | null;
  readonly address: string;
}

/**
 * Finds the grant for a token; `browser-secret`: a browser sent the secret, which it must not have
 * (seed.md, Authentication rule 4); null if the credentials are wrong. A domain key is accepted
 * only from its own domains (rule 1).
 */
async function grantFor(
  credential: Credential,
  { secrets, personalSecrets, origin, address }: PresentedCredentials,
): Promise<TokenGrant | "browser-secret" | null> {
  if (await matchesAny(credential.secretDigest, secrets)) {
    if (origin !== null) return "browser-secret";
    const person = await personOf(credential, personalSecrets);
    return person === null ? null : { domainKey: null, person: person.name, address };
  }
  for (const key of credential.domainKeys) {
    if (!(await matchesAny(key.digest, secrets))) continue;
    const allowed = origin !== null && isOriginAllowed(origin, key.domains);
    return allowed ? { domainKey: key.id, person: null, address } : null;
  }
  return null;
}

/** Null for an unknown personal secret. A project without personal secrets ignores them. */
async function personOf(
  credential: Credential,
  sent: readonly string[],
): Promise<{ readonly name: string | null } | null> {
  if (sent.length === 0 || credential.personalSecrets.length === 0) return { name: null };
  for (const { name, digest } of credential.personalSecrets) {
    if (await matchesAny(digest, sent)) return { name };
  }
  return null;
}

async function matchesAny(digest: Uint8Array, texts: readonly string[]): Promise<boolean> {
  for (const text of texts) {
    if (await matchesSecret(digest, text)) return true;
  }
  return false;
}
