import { compileCallerJwt } from "./caller-jwt.ts";
import type { CallerConfig, InstanceConfig, Rate } from "../config.ts";
import { didYouMean } from "../../yaml/nearest.ts";
import type { WrittenCaller } from "../schema/callers.ts";
import { type Section, warnOfPlainSecret } from "../../yaml/section.ts";
import type { Path } from "../../yaml/yaml.ts";
import { CALLER_OPERATIONS, readOperation, type CallerOperation } from "../caller-operations.ts";

/** Completes callers, and reports those that no request can match or that have no operation. */
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
/** The largest size of a file in bytes: 7 MB (seed.md 9). */
const MEDIA_BYTES = 7_340_032;
/** Shorter keys are easy to guess. */
const MIN_KEY = 16;

function compileCaller(
  written: WrittenCaller,
  instances: readonly InstanceConfig[],
  section: Section,
): CallerConfig {
  const keys = [written.key ?? []].flat();
  if (written.origins === undefined && written.jwt === undefined && keys.length === 0) {
    const hint = "Give it origins, jwt or key; a caller with several must show all of them.";
    section.at("name").error("missing-key", "no request can match this caller", hint);
  }
  for (const [index, key] of keys.entries()) {
    const setting = section.at("key", ...(Array.isArray(written.key) ? [index] : []));
    warnOfPlainSecret(setting);
    if (key.length >= MIN_KEY && /^[\x21-\x7e]+$/.test(key)) continue;
    const message = `a key is at least ${MIN_KEY} visible ASCII characters`;
    setting.error("invalid-value", message);
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

/** Reports the credentials of the instance that its operations lack. */
function reportMissing(
  operations: readonly CallerOperation[],
  instance: InstanceConfig,
  section: Section,
): void {
  const { credentials, upstream } = instance;
  const forChat = operations.some(({ product }) => product === "chat");
  // The chat has its own address, which a login discovers if it is not configured.
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

/**
 * Reports callers that the same request would match, because their order must not decide.
 */
function reportEqualCallers(callers: readonly CallerConfig[], section: Section): void {
  const seen = new Map<string, string>();
  for (const [index, caller] of callers.entries()) {
    for (const { identity, at, conflict } of listIdentities(caller)) {
      const other = seen.get(identity);
      if (other === undefined) {
        seen.set(identity, caller.name);
        continue;
      }
      section.at(index, ...at).error("duplicate", `the caller "${other}" ${conflict}`);
    }
  }
}

/** An origin, key or issuer that only one caller may have. */
interface Identity {
  readonly identity: string;
  readonly at: Path;
  readonly conflict: string;
}

function listIdentities({ name, keys, jwt, origins }: CallerConfig): readonly Identity[] {
  const identities: Identity[] = [
    { identity: `name ${name}`, at: ["name"], conflict: "has this name too" },
  ];
  for (const key of keys) {
    identities.push({ identity: `key ${key}`, at: ["key"], conflict: "has this key too" });
  }
  if (jwt !== null && keys.length === 0) {
    const conflict = "takes tokens of this issuer for this audience too";
    identities.push({
      identity: `jwt ${JSON.stringify([jwt.issuer, jwt.audience])}`,
      at: ["jwt"],
      conflict,
    });
  }
  if (jwt !== null || keys.length > 0) return identities;
  for (const [index, origin] of origins.entries()) {
    const conflict = "has this origin too, and neither key nor jwt";
    identities.push({ identity: `origin ${origin}`, at: ["origins", index], conflict });
  }
  return identities;
}

/**
 * Reads an operation by its name, or as `METHOD /product/path/{value}?parameter&parameter`; null
 * after a report.
 */
function compileCallerOperation(written: string, section: Section): CallerOperation | null {
  const named = CALLER_OPERATIONS.find(({ name }) => name === written);
  if (named !== undefined) return named;
  const [, method = "", product, inner = "", query = ""] = RAW_OPERATION.exec(written) ?? [];
  if (product !== "ticketing" && product !== "knowledge" && product !== "chat") {
    const names = CALLER_OPERATIONS.map(({ name }) => name);
    const message = `there is no operation "${written}".${didYouMean(written, names)}`;
    const hint = "Write a name such as ticketing.createTicket, or GET /ticketing/v1/things/{id}.";
    section.error("unknown-reference", message, hint);
    return null;
  }
  const operation = readOperation(written, product, method, inner + query);
  const sound =
    operation.paths.flat().every((segment) => SEGMENT.test(segment) && !/^\.+$/.test(segment)) &&
    operation.query.every((parameter) => PARAMETER.test(parameter));
  if (!sound) {
    const message = "a path is plain segments and {values}, its query names joined by &";
    section.error("invalid-value", message);
    return null;
  }
  // An operation of the table counts under the table's name, whatever its values are called.
  const known = CALLER_OPERATIONS.find((other) => isSame(other, operation));
  return known ?? operation;
}

const RAW_OPERATION =
  /^(GET|POST|PUT|PATCH|DELETE) \/(ticketing|knowledge|chat)((?:\/[^/?#\s]+)+)(\?\S*)?$/;
const SEGMENT = /^(?:[\w.~-]+|\{[A-Za-z]\w*\})$/;
const PARAMETER = /^[\w.~[\]-]+$/;

function isSame(a: CallerOperation, b: CallerOperation): boolean {
  if (a.product !== b.product || a.method !== b.method) return false;
  const [pattern = []] = b.paths;
  return a.paths.some(
    (segments) =>
      segments.length === pattern.length &&
      segments.every((segment, index) => {
        const other = pattern[index] ?? "";
        return segment === other || (segment.startsWith("{") && other.startsWith("{"));
      }),
  );
}
