import { AfterwordError } from "../errors.ts";
import type { AuthCredentials } from "./auth/client.ts";
import type { HttpOptions } from "./call/http-call.ts";

/** The options of {@link createClients}. */
export interface ClientsOptions {
  readonly auth: AuthCredentials;
  /** The live chat, which has an address and credentials of its own. */
  readonly chat?: ChatCredentials | undefined;
  /** Spelling to send where specification and deployed service differ. Default `deployed`. */
  readonly wire?: "deployed" | "seed" | undefined;
  /** `x-inbenta-env`, `x-inbenta-user-type`, `x-inbenta-source` of every call. */
  readonly environment?: "production" | "preproduction" | "development" | undefined;
  readonly userType?: number | undefined;
  readonly source?: string | undefined;
  /** Milliseconds for one attempt. Default 20,000. */
  readonly timeout?: number | undefined;
  /** Further attempts after a failure that allows them. Default 2. */
  readonly retries?: number | undefined;
  /** The longest wait before a further attempt, in milliseconds, whatever the service asks for. Default 10,000. */
  readonly longestWait?: number | undefined;
  readonly fetch?: HttpOptions["fetch"] | undefined;
  /** Milliseconds since the epoch. Default: the system's clock. */
  readonly now?: (() => number) | undefined;
  /** From 0 up to, but not including, 1. Default `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** Default: a timer. */
  readonly sleep?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
}

export interface ChatCredentials {
  /** Scheme, host and port, such as `http://127.0.0.1:8000`. */
  readonly url: string;
  readonly appId: string;
  /** Server-side only. */
  readonly secret?: string | undefined;
}

/** Throws `argument-invalid` for options that can't work or that would give a secret away. */
export function checkOptions(options: ClientsOptions): void {
  const { auth, chat } = options;
  checkAddress("auth.url", auth.url);
  if (chat !== undefined) checkAddress("chat.url", chat.url);
  for (const [name, value] of [
    ["auth.apiKey", auth.apiKey],
    ["chat.appId", chat?.appId],
    ["chat.secret", chat?.secret],
    ["source", options.source],
  ] as const) {
    checkHeaderValue(name, value);
  }
  if (auth.keyHeader !== undefined && !/^[\w!#$%&'*+.^`|~-]+$/.test(auth.keyHeader)) {
    throw new AfterwordError(
      "argument-invalid",
      "auth.keyHeader must be the name of a header, such as x-vendor-key.",
    );
  }
  if (auth.apiKey === "") throw new AfterwordError("argument-invalid", "auth.apiKey is empty.");
  if (auth.secret === undefined && auth.domainKey === undefined) {
    throw new AfterwordError(
      "argument-invalid",
      "Give auth.secret (on a server) or auth.domainKey (in a browser).",
    );
  }
  const secrets = [auth.secret, auth.personalSecret, chat?.secret];
  if (isBrowser() && secrets.some((secret) => secret !== undefined)) {
    throw new AfterwordError(
      "argument-invalid",
      "A secret must not be in a browser, where everybody can read it: use auth.domainKey there, and call with secrets from a server.",
    );
  }
}

function checkAddress(name: string, value: string): void {
  const url = URL.parse(value);
  const fits =
    url !== null && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "";
  if (!fits || url.username !== "" || url.password !== "") {
    throw new AfterwordError(
      "argument-invalid",
      `${name} must be an http or https address without query or credentials, such as https://api.example.com.`,
    );
  }
}

// Node sends é as one byte, and workerd as two. The value itself is not shown: it may be a secret.
function checkHeaderValue(name: string, value: string | undefined): void {
  if (value !== undefined && !/^[\t\x20-\x7e]*$/.test(value)) {
    throw new AfterwordError(
      "argument-invalid",
      `${name} is sent in a header. It may have only printable ASCII characters, because runtimes encode others differently.`,
    );
  }
}

// A browser's worker has no document. It has a WorkerGlobalScope, as workerd does, so the user agent
// tells the two apart.
function isBrowser(): boolean {
  if (Reflect.has(globalThis, "document")) return true;
  const agent = globalThis.navigator?.userAgent ?? "";
  return Reflect.has(globalThis, "WorkerGlobalScope") && /mozilla/i.test(agent);
}
