import type { Config } from "../../config/config.ts";
import { AfterwordError } from "../../errors.ts";
import type { FetchLike } from "../web/fetch-request.ts";
import type { Fetcher } from "./platform.ts";

/** The bindings of a deployed Worker by name. Variables and secrets are texts. */
export type Bindings = Readonly<Record<string, unknown>>;

/** Creates a placeholder for `${NAME}` of a binding, long enough to pass the checks of secrets. */
export function toBindingMark(name: string): string {
  return `\${afterword-worker-binding:${name}}`;
}

export function holdsMark(text: string): boolean {
  return text.search(mark) !== -1;
}

/**
 * Replaces the placeholders of bindings in a configuration. Only credentials, callers and escalation
 * can have some, because everything else was filled in at the build.
 *
 * @throws AfterwordError `config-invalid` if a binding is missing, or a JWT secret is a PEM key
 */
export function fillBindings(config: Config, bindings: Bindings): Config {
  const missing = new Set<string>();
  const fill = <Value>(value: Value): Value => fillValue(value, bindings, missing);
  const { callers, escalation, instances } = config;
  const filled: Config = {
    ...config,
    callers: fill(callers),
    escalation: fill(escalation),
    instances: instances.map((instance) => ({
      ...instance,
      credentials: fill(instance.credentials),
      escalation: fill(instance.escalation),
    })),
  };
  for (const { name, jwt } of filled.callers) {
    // A public key taken for a shared secret would let anybody sign (RFC 8725, section 2.1).
    if (jwt?.keys.kind !== "secret" || !jwt.keys.secret.startsWith("-----BEGIN")) continue;
    throw new AfterwordError(
      "config-invalid",
      `caller ${name}: the secret behind jwt.key is a PEM key; write a public key into the configuration itself`,
    );
  }
  if (missing.size === 0) return filled;
  const names = [...missing].sort();
  throw new AfterwordError(
    "config-invalid",
    `the configuration needs ${names.join(", ")}: set each with \`npx wrangler secret put NAME\``,
  );
}

const mark = /\$\{afterword-worker-binding:(\w+)\}/g;

/** Copies a value, and replaces every placeholder in its texts. */
function fillValue<Value>(value: Value, bindings: Bindings, missing: Set<string>): Value;
function fillValue(value: unknown, bindings: Bindings, missing: Set<string>): unknown {
  if (typeof value === "string") {
    return value.replace(mark, (_, name: string) => {
      const text = bindings[name];
      if (typeof text === "string" && text !== "") return text;
      missing.add(name);
      return "";
    });
  }
  if (Array.isArray(value))
    return value.map((inner: unknown) => fillValue(inner, bindings, missing));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]: [string, unknown]) => [
      key,
      fillValue(inner, bindings, missing),
    ]),
  );
}

/**
 * Creates a `fetch` that reaches some hosts through service bindings instead of the public network.
 *
 * @param list `AFTERWORD_SERVICES`: hosts and names of bindings, such as `api.example.com=VENDOR,
 *   chat.example.com=CHAT`
 * @throws AfterwordError `config-invalid` for an entry of another form, or a missing binding
 */
export function createServiceFetch(
  list: string,
  bindings: Bindings,
  fallback: FetchLike,
): FetchLike {
  const services = new Map(
    list
      .split(",")
      .map((entry) => entry.trim())
      .filter((entry) => entry !== "")
      .map((entry) => readEntry(entry, bindings)),
  );
  if (services.size === 0) return fallback;
  return (url, init, request) =>
    services.get(new URL(url).host)?.fetch(url, init) ?? fallback(url, init, request);
}

function readEntry(entry: string, bindings: Bindings): readonly [string, Fetcher] {
  const [, host = "", name = ""] = /^([^\s=]+)=(\w+)$/.exec(entry) ?? [];
  const service = bindings[name];
  if (isFetcher(service)) return [host.toLowerCase(), service];
  const wrong =
    host === "" ? `"${entry}" is not HOST=BINDING` : `there is no service binding ${name}`;
  throw new AfterwordError(
    "config-invalid",
    `AFTERWORD_SERVICES: ${wrong}; see [[services]] in wrangler.toml`,
  );
}

function isFetcher(value: unknown): value is Fetcher {
  return typeof value === "object" && value !== null && "fetch" in value;
}
