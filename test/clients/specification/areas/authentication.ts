import { auth, clients, common, credentials, domainKeys, failures, tokens } from "../files.ts";
import { section } from "../rows.ts";
import type { Row } from "../rows.ts";

/** seed.md 4. */
export const AUTHENTICATION: readonly Row[] = section("4", [
  [
    "auth.rule-1",
    "credentials are an API key, a secret and a domain key",
    common("a domain key is one of the three credentials, and not from everywhere"),
  ],
  [
    "auth.rule-1-key",
    "the key opens the interfaces",
    common("$method $path is refused without a token, or without a key"),
  ],
  [
    "auth.rule-1-secret",
    "the secret opens the data of its instance, and of no other",
    auth("belong to one key: another project's key is answered 403"),
    credentials("a secret that differs in any one byte of its digest does not match"),
  ],
  [
    "auth.rule-1-domain-key",
    "a domain key opens it to browsers on the listed domains only",
    domainKeys("is exchanged for a token in a request from one of its domains"),
    domainKeys("gives a token that works from its domains only"),
  ],
  [
    "auth.rule-2",
    "every request carries an access token as Bearer",
    common("$method $path is refused without a token, or without a key"),
    clients("clients send JSON, a token as Bearer, no slash at the end, and nothing with a GET"),
  ],
  [
    "auth.rule-3",
    "the API key travels in x-vendor-key",
    common("the key under %s opens every product"),
    clients("clients send the key under the specification's name, unless another is configured"),
  ],
  [
    "auth.rule-4-confidential",
    "the secret appears nowhere",
    auth("hold neither the key nor the secret"),
    failures("an error contains no secret and no token, even if the service repeats them"),
  ],
  [
    "auth.rule-4-server",
    "a secret never travels from a browser",
    domainKeys("is refused from a browser, with the reason"),
    failures("a secret in a browser is refused, a domain key is not"),
  ],
  [
    "auth.rule-5",
    "several signing keys are good at once",
    auth("outlive a key rotation, and end with the key that signed them"),
  ],
  [
    "auth.rule-6",
    "discovery keeps to its own rules",
    tokens(
      "the first call fetches a token and discovers the addresses once, and later calls do neither",
    ),
  ],
  [
    "auth.rule-7-issue",
    "silent on issuing: POST /v1/auth with the secret",
    auth("answers token, expiry in Unix seconds, lifetime and the products that exist"),
  ],
  [
    "auth.rule-7-refresh",
    "silent on refreshing: POST /v1/refreshToken with a live token",
    auth("are refreshed while they live: a new token, and no apis"),
  ],
]);
