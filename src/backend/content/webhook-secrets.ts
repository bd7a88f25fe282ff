import type { Reporter } from "../../config/diagnostic.ts";
import type { Environment } from "../../config/environment.ts";
import type { Path, YamlFile } from "../../config/yaml.ts";

/** `$${` is a literal `${`, as in the configuration. */
const REFERENCE = /\$\$\{|\$\{([^}$]*)\}/g;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * A content whose `form.webhook` has its `${NAME}`s filled in from the environment: addresses and
 * secrets belong there, and nowhere else in a content, whose texts may say `${` to readers. A
 * missing variable is reported at its place.
 */
export function withSecrets(
  item: unknown,
  file: YamlFile,
  base: Path,
  environment: Environment | null,
  reporter: Reporter,
): unknown {
  const form = fieldOf(item, "form");
  const webhook = fieldOf(form, "webhook");
  if (webhook === undefined || webhook === null) return item;
  const filled = fill(webhook, [...base, "form", "webhook"]);
  return { ...asObject(item), form: { ...asObject(form), webhook: filled } };

  function fill(value: unknown, path: Path): unknown {
    if (typeof value === "string") return fillText(value, path);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, fill(inner, [...path, key])]),
    );
  }

  function fillText(text: string, path: Path): string {
    return text.replace(REFERENCE, (reference, name: string | undefined) => {
      if (name === undefined) return "${";
      if (environment === null) return STANDS_IN;
      const known = NAME.test(name) && Object.hasOwn(environment, name);
      const value = known ? environment[name] : undefined;
      if (value !== undefined) return value;
      const message = NAME.test(name)
        ? `the environment variable ${name} is not set`
        : `"${reference}" does not name an environment variable`;
      reporter.error(file.source, file.locate(path), "environment", message);
      return STANDS_IN;
    });
  }
}

/** Is an address, and long enough for a secret: no mistake of its own. */
const STANDS_IN = "http://127.0.0.1";

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;
}

function asObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}
