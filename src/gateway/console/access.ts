import type { Conflict, Draft, Grant, Role } from "../../api/console.ts";
import { LRUCache } from "lru-cache";
import { networkOf } from "../../http/client-address.ts";
import { type AdminRule, type LabelledToken, isSameText } from "../exchange/admin.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { bearerOf, fieldOf } from "../exchange/headers.ts";
import type { Platform } from "../exchange/platform.ts";
import { type ConsoleAnswer, refuseWith } from "./answer.ts";
import type { PublicationWish } from "./files.ts";

export type AccessJudgement =
  | { readonly kind: "granted"; readonly grant: Grant }
  /** `isShown`: there was a token at all. */
  | { readonly kind: "wrong"; readonly isShown: boolean }
  /** This address has tried too many wrong tokens. */
  | { readonly kind: "wait"; readonly seconds: number };

/**
 * Judges who asks, by the token alone. All tokens are compared, so that no duration says which was
 * nearly right. A network that shows wrong ones waits, longer each time; other networks do not. A
 * right token passes meanwhile where one was right lately: others behind its address keep nobody
 * out, and tokens are too long to be guessed.
 *
 * @param labelled those of now: a file of them may change
 */
export function createAccess(
  { token }: AdminRule,
  labelled: () => readonly LabelledToken[],
  { clock, digest }: Pick<Platform, "clock" | "digest">,
): (exchange: Exchange) => Promise<AccessJudgement> {
  const admin: readonly LabelledToken[] = token === null ? [] : [{ ...ADMIN, token }];
  const failures = new LRUCache<string, Failures>({ max: 10_000 });
  /** When a token was last right, by network. */
  const known = new LRUCache<string, number>({ max: 1000 });

  return async ({ headers, client: { address } }) => {
    const network = networkOf(address);
    const failed = failures.get(network);
    const time = clock();
    const pause = failed === undefined ? 0 : failed.until - time;
    const isKnown = time - (known.get(network) ?? -Infinity) < knownFor;
    const wait: AccessJudgement = { kind: "wait", seconds: Math.ceil(pause / 1000) };
    if (pause > 0 && !isKnown) return wait;
    const presented = bearerOf(fieldOf(headers, "authorization") ?? "");
    const all = [...admin, ...labelled()];
    const hash = all.some(({ hashed }) => hashed) ? await digest(presented) : "";
    const fits = (one: LabelledToken): boolean =>
      isSameText(one.hashed ? hash : presented, one.token);
    const found = all.filter(fits).at(0);
    if (found !== undefined) {
      const { token: _, hashed: __, ...grant } = found;
      known.set(network, time);
      return { kind: "granted", grant };
    }
    if (pause > 0) return wait;
    // Without any token nothing was guessed.
    if (presented !== "") failures.set(network, countFailure(failed, time));
    return { kind: "wrong", isShown: presented !== "" };
  };
}

/** True where a role may do what asks for another one. */
export function mayAct({ role }: Grant, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** True for an instance that a grant is bound to, or is not bound away from. */
export function maySee({ instances }: Grant, instance: string | null): boolean {
  return instances === null || (instance !== null && instances.includes(instance));
}

/** True for a token that may put texts of this language into a draft. */
export function mayChange({ languages }: Grant, locale: string): boolean {
  return languages === null || languages.includes(locale);
}

export function refuseLanguage({ label, languages }: Grant, locale: string): string {
  return `Your token (${label}) may change ${languages?.join(", ") ?? ""}, not ${locale}.`;
}

const ROLES: readonly Role[] = ["view", "edit", "publish", "admin"];

const ADMIN = {
  label: "admin",
  role: "admin",
  languages: null,
  instances: null,
  hashed: false,
} as const;

interface Failures {
  readonly count: number;
  /** Monotonic milliseconds: a clock that is set back must not prolong a pause. */
  readonly at: number;
  readonly until: number;
}

function countFailure(failed: Failures | undefined, time: number): Failures {
  const before = failed === undefined || time - failed.at > forgotten ? 0 : failed.count;
  const count = before + 1;
  const pause = count < free ? 0 : Math.min(longest, 1000 * 2 ** (count - free));
  return { count, at: time, until: time + pause };
}

/** Wrong tokens that cost nothing: people mistype. */
const free = 5;
const longest = 60_000;
const forgotten = 600_000;
const knownFor = 7 * 86_400_000;

// Why a publication is refused, whatever keeps the texts.

export const noPublication: ConsoleAnswer = refuseWith(404, "There is no such publication.");

/** @param hash of what the file says now */
export function isStale({ files }: PublicationWish, file: string, hash: string | null): boolean {
  const seen = files[file];
  return seen !== undefined && seen !== (hash ?? "");
}

export function refuseConflicts(conflicts: readonly Conflict[]): ConsoleAnswer {
  const names = conflicts.map(({ file }) => file).join(", ");
  const message = `${names} was changed meanwhile: look at it, and choose. Nothing was written.`;
  return refuseWith(409, message, { conflicts });
}

export function uncheckedOf(
  findings: Draft["findings"],
  { warnings }: Pick<PublicationWish, "warnings">,
): ConsoleAnswer | null {
  const open = findings.filter(({ severity }) => severity === "error" || !warnings);
  const [first] = open;
  if (first === undefined) return null;
  const { file, line, message } = first;
  const where = file === "" ? "" : `${file}:${line}: `;
  return refuseWith(422, `Nothing was published. ${where}${message}`, { findings: open });
}

export function refuseUnseen(
  grant: Grant,
  files: readonly { readonly file: string; readonly instances: readonly string[] }[],
): ConsoleAnswer | null {
  const found = files.find(({ instances }) => !instances.every((name) => maySee(grant, name)));
  return found === undefined
    ? null
    : refuseWith(403, `${found.file} has texts of instances that your token is not for.`);
}
