import type { CallerOperation } from "./caller-operation.ts";
import { compileCallerJwt } from "./compile-caller-jwt.ts";
import { compileCallerOperation } from "./compile-caller-operation.ts";
import type { CallerConfig, InstanceConfig, Rate } from "./config.ts";
import type { Reporter } from "./diagnostic.ts";
import { didYouMean } from "./nearest.ts";
import { reportEqualCallers } from "./equal-callers.ts";
import type { WrittenCaller } from "./written-config.ts";
import type { Path, YamlFile } from "./yaml.ts";

/**
 * Fills in every caller, and reports those that nobody could be, or that could do nothing they are
 * allowed.
 */
export function compileCallers(
  written: readonly WrittenCaller[],
  instances: readonly InstanceConfig[],
  file: YamlFile,
  reporter: Reporter,
): readonly CallerConfig[] {
  const callers = written.map((caller, index) =>
    compileCaller(caller, instances, file, ["callers", index], reporter),
  );
  reportEqualCallers(callers, file, reporter);
  return callers;
}

const DEFAULT_RATE: Rate = { calls: 60, milliseconds: 60_000 };
/** Bytes a file may have: 7 MB (seed.md 9). */
const MEDIA_BYTES = 7_340_032;
/** A key is guessed in no time when it is short. */
const LEAST_KEY = 16;

function compileCaller(
  written: WrittenCaller,
  instances: readonly InstanceConfig[],
  file: YamlFile,
  path: Path,
  reporter: Reporter,
): CallerConfig {
  const at = (...keys: (string | number)[]) => file.locate([...path, ...keys]);
  const keys = [written.key ?? []].flat();
  if (written.origins === undefined && written.jwt === undefined && keys.length === 0) {
    const hint = "Give it origins, jwt or key; a caller with several must show all of them.";
    reporter.error(file.source, at("name"), "missing-key", "nobody can be this caller", hint);
  }
  for (const [index, key] of keys.entries()) {
    const place = Array.isArray(written.key) ? ["key", index] : ["key"];
    reportPlain(file, [...path, ...place], reporter);
    if (key.length >= LEAST_KEY && /^[\x21-\x7e]+$/.test(key)) continue;
    const message = `a key is at least ${LEAST_KEY} visible ASCII characters`;
    reporter.error(file.source, at(...place), "invalid-value", message);
  }
  const instance = instanceOf(written, instances, file, path, reporter);
  const operations = (written.operations ?? []).map((name, index) =>
    compileCallerOperation(name, file, [...path, "operations", index], reporter),
  );
  const found = operations.filter((operation) => operation !== null);
  if (instance !== null) reportMissing(found, instance, file, path, reporter);
  const rate = written.rate ?? {};
  return {
    name: written.name,
    instance: instance?.name ?? "",
    origins: written.origins ?? [],
    jwt:
      written.jwt === undefined
        ? null
        : compileCallerJwt(written.jwt, file, [...path, "jwt"], reporter),
    keys,
    operations: found,
    rate: rate.calls ?? DEFAULT_RATE,
    perClient: rate.perClient ?? null,
    media: { bytes: written.media?.bytes ?? MEDIA_BYTES, types: written.media?.types ?? [] },
  };
}

/** A secret that stands in the file itself is worth a warning. */
function reportPlain(file: YamlFile, path: Path, reporter: Reporter): void {
  const literal = file.written(path);
  if (literal === null || literal.includes("${")) return;
  const message = "a secret stands in this file; anybody who may read it may use it";
  const hint = "Write ${NAME} and set that variable.";
  reporter.warn(file.source, file.locate(path), "plain-secret", message, hint);
}

function instanceOf(
  { instance }: WrittenCaller,
  instances: readonly InstanceConfig[],
  file: YamlFile,
  path: Path,
  reporter: Reporter,
): InstanceConfig | null {
  const [only] = instances;
  if (instance === undefined) {
    if (only !== undefined && instances.length === 1) return only;
    const message = 'the key "instance" is missing here';
    const hint = "It names the instance whose credentials this caller uses.";
    reporter.error(file.source, file.locate(path), "missing-key", message, hint);
    return null;
  }
  const found = instances.find(({ name }) => name === instance);
  if (found !== undefined) return found;
  const names = instances.map(({ name }) => name);
  const message = `there is no instance named "${instance}".${didYouMean(instance, names)}`;
  const span = file.locate([...path, "instance"]);
  reporter.error(file.source, span, "unknown-reference", message);
  return null;
}

/** What the operations need of the instance's credentials. */
function reportMissing(
  operations: readonly CallerOperation[],
  instance: InstanceConfig,
  file: YamlFile,
  path: Path,
  reporter: Reporter,
): void {
  const { credentials, upstream } = instance;
  const forChat = operations.some(({ product }) => product === "chat");
  // The chat has an address of its own. Where nobody wrote it down, a login finds it.
  const chatIsFound = upstream.chat === null && !Object.hasOwn(upstream.apis, "chat");
  const login = operations.some(({ product }) => product !== "chat") || (forChat && chatIsFound);
  const needed = [
    ...(login ? (["apiKey", "secret"] as const) : []),
    ...(forChat ? (["chatApp", "chatSecret"] as const) : []),
  ];
  const missing = needed.filter((key) => (credentials?.[key] ?? null) === null);
  if (missing.length === 0) return;
  const names = missing.map((key) => `credentials.${key}`).join(", ");
  const message = `the instance "${instance.name}" lacks ${names}, which these operations need`;
  reporter.error(file.source, file.locate([...path, "operations"]), "missing-key", message);
}
