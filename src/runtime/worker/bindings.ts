import type { Config } from "../../config/config.ts";
import { AfterwordError } from "../../errors.ts";

/** Bindings of a deployed worker by name: texts are variables and secrets. */
export type Bindings = Readonly<Record<string, unknown>>;

/** Stands for `${NAME}`, the worker's binding; long, so that it passes as a good secret. */
export function bindingMark(name: string): string {
  return `\${afterword-worker-binding:${name}}`;
}

export function holdsMark(text: string): boolean {
  return text.search(mark) !== -1;
}

/**
 * The configuration with its secrets. Credentials, callers and escalation are looked through: all
 * else was filled in when it was compiled.
 *
 * @throws AfterwordError `config-invalid` when a binding is missing
 */
export function fillBindings(config: Config, bindings: Bindings): Config {
  const missing = new Set<string>();
  const fill = <Value>(value: Value): Value => filled(value, bindings, missing);
  const { callers, escalation, instances } = config;
  const whole: Config = {
    ...config,
    callers: fill(callers),
    escalation: fill(escalation),
    instances: instances.map((instance) => ({
      ...instance,
      credentials: fill(instance.credentials),
      escalation: fill(instance.escalation),
    })),
  };
  for (const { name, jwt } of whole.callers) {
    // A public key taken for a shared secret would let anybody sign (RFC 8725, section 2.1).
    if (jwt?.keys.kind !== "secret" || !jwt.keys.secret.startsWith("-----BEGIN")) continue;
    throw new AfterwordError(
      "config-invalid",
      `caller ${name}: the secret behind jwt.key is a PEM key; write a public key into the configuration itself`,
    );
  }
  if (missing.size === 0) return whole;
  const names = [...missing].sort();
  throw new AfterwordError(
    "config-invalid",
    `the configuration needs ${names.join(", ")}: set each with \`npx wrangler secret put NAME\``,
  );
}

const mark = /\$\{afterword-worker-binding:(\w+)\}/g;

/** The same kind of value with every mark in its texts replaced. */
function filled<Value>(value: Value, bindings: Bindings, missing: Set<string>): Value;
function filled(value: unknown, bindings: Bindings, missing: Set<string>): unknown {
  if (typeof value === "string") {
    return value.replace(mark, (_, name: string) => {
      const text = bindings[name];
      if (typeof text === "string" && text !== "") return text;
      missing.add(name);
      return "";
    });
  }
  if (Array.isArray(value)) return value.map((inner: unknown) => filled(inner, bindings, missing));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]: [string, unknown]) => [
      key,
      filled(inner, bindings, missing),
    ]),
  );
}
