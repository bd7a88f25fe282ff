import type { CallerOperation } from "./caller-operation.ts";
import { compileCallerJwt } from "./compile-caller-jwt.ts";
import { compileCallerOperation } from "./compile-caller-operation.ts";
import type { CallerConfig, InstanceConfig, Rate } from "./config.ts";
import { didYouMean } from "./nearest.ts";
import { reportEqualCallers } from "./equal-callers.ts";
import type { WrittenCaller } from "./schema-callers.ts";
import { type Section, warnOfPlainSecret } from "./section.ts";

/** Completes callers; reports those that nobody could be, or that can do nothing allowed. */
export function compileCallers(
  written: readonly WrittenCaller[],
  instances: readonly InstanceConfig[],
  section: Section,
): readonly CallerConfig[] {
  const callers = written.map((caller, index) =>
    compileCaller(caller, instances, section.at(index)),
  );
  reportEqualCallers(callers, section);
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
  section: Section,
): CallerConfig {
  const keys = [written.key ?? []].flat();
  if (written.origins === undefined && written.jwt === undefined && keys.length === 0) {
    const hint = "Give it origins, jwt or key; a caller with several must show all of them.";
    section.at("name").error("missing-key", "nobody can be this caller", hint);
  }
  for (const [index, key] of keys.entries()) {
    const place = section.at("key", ...(Array.isArray(written.key) ? [index] : []));
    warnOfPlainSecret(place);
    if (key.length >= LEAST_KEY && /^[\x21-\x7e]+$/.test(key)) continue;
    const message = `a key is at least ${LEAST_KEY} visible ASCII characters`;
    place.error("invalid-value", message);
  }
  const instance = instanceOf(written, instances, section);
  const operations = (written.operations ?? []).map((name, index) =>
    compileCallerOperation(name, section.at("operations", index)),
  );
  const found = operations.filter((operation) => operation !== null);
  if (instance !== null) reportMissing(found, instance, section.at("operations"));
  const rate = written.rate ?? {};
  return {
    name: written.name,
    instance: instance?.name ?? "",
    origins: written.origins ?? [],
    jwt: written.jwt === undefined ? null : compileCallerJwt(written.jwt, section.at("jwt")),
    keys,
    operations: found,
    rate: rate.calls ?? DEFAULT_RATE,
    perClient: rate.perClient ?? null,
    media: { bytes: written.media?.bytes ?? MEDIA_BYTES, types: written.media?.types ?? [] },
  };
}

function instanceOf(
  { instance }: WrittenCaller,
  instances: readonly InstanceConfig[],
  section: Section,
): InstanceConfig | null {
  const [only] = instances;
  if (instance === undefined) {
    if (only !== undefined && instances.length === 1) return only;
    const message = 'the key "instance" is missing here';
    const hint = "It names the instance whose credentials this caller uses.";
    section.error("missing-key", message, hint);
    return null;
  }
  const found = instances.find(({ name }) => name === instance);
  if (found !== undefined) return found;
  const names = instances.map(({ name }) => name);
  const message = `there is no instance named "${instance}".${didYouMean(instance, names)}`;
  section.at("instance").error("unknown-reference", message);
  return null;
}

/** What the operations need of the instance's credentials. */
function reportMissing(
  operations: readonly CallerOperation[],
  instance: InstanceConfig,
  section: Section,
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
  section.error("missing-key", message);
}
