import type { Conflict, Draft } from "../../api/console.ts";
import type { Grant, Role } from "../../api/console-session.ts";
import { isSameText } from "../../json/bytes.ts";
import { LRUCache } from "lru-cache";
import { networkOf } from "../../http/client-address.ts";
import type { AdminRule, LabelledToken } from "../exchange/admin.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { bearerOf, fieldOf } from "../exchange/headers.ts";
import type { Platform } from "../exchange/platform.ts";
import { type ConsoleAnswer, refuseWith } from "./answer.ts";
import { refuseBy } from "./refusals.ts";
import type { PublicationRequest } from "./files.ts";

export type AccessJudgement =
  | { readonly kind: "granted"; readonly grant: Grant }
  /** `isShown`: the request had a token. */
  | { readonly kind: "wrong"; readonly isShown: boolean }
  /** The network has tried too many wrong tokens. */
  | { readonly kind: "wait"; readonly seconds: number };

/**
 * Judges a request by its token alone. All tokens are compared, so that the duration does not
 * reveal a nearly right one. A network that sends wrong tokens has to wait, longer each time. If it
 * recently sent a right token, right tokens are still accepted during the wait, so that nobody can
 * lock out others behind the same address. Tokens are too long to be guessed.
 *
 * @param labelled returns the tokens in force, since their file may change
 */
export function createAccess(
  { token }: AdminRule,
  labelled: () => readonly LabelledToken[],
  { clock, digest }: Pick<Platform, "clock" | "digest">,
): (exchange: Exchange) => Promise<AccessJudgement> {
  const admin: readonly LabelledToken[] = token === null ? [] : [{ ...ADMIN, token }];
  const failures = new LRUCache<string, Failures>({ max: 10_000 });
  /** The time of the last right token, by network. */
  const lastRight = new LRUCache<string, number>({ max: 1000 });

  return async ({ headers, client: { address } }) => {
    const network = networkOf(address);
    const earlier = failures.get(network);
    const time = clock();
    const pause = earlier === undefined ? 0 : earlier.until - time;
    const isKnown = time - (lastRight.get(network) ?? -Infinity) < knownFor;
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
      lastRight.set(network, time);
      return { kind: "granted", grant };
    }
    if (pause > 0) return wait;
    // A request without a token is no guess.
    if (presented === "") return { kind: "wrong", isShown: false };
    const guess = hash || (await digest(presented));
    // Other requests may have been counted during the digest.
    const latest = failures.get(network);
    if (guess !== latest?.guess) failures.set(network, countFailure(latest, guess, time));
    return { kind: "wrong", isShown: true };
  };
}

/** True if a grant's role includes the needed one. */
export function mayAct({ role }: Grant, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** True if a grant is for this instance, or for all. */
export function maySee({ instances }: Grant, instance: string | null): boolean {
  return instances === null || (instance !== null && instances.includes(instance));
}

/** True for a token that may put texts of this language into a draft. */
export function mayChange({ languages }: Grant, locale: string): boolean {
  return languages === null || languages.includes(locale);
}

export function refuseLanguage({ label, languages }: Grant, language: string): ConsoleAnswer {
  return refuseBy("language", { label, languages: languages?.join(", ") ?? "", language });
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
  /**
   * The number of wrong tokens. One that is sent several times in a row counts once, because an open
   * page repeats its own.
   */
  readonly count: number;
  /** The digest of the last token. */
  readonly guess: string;
  /** Monotonic milliseconds: a clock that is set back must not prolong a pause. */
  readonly at: number;
  readonly until: number;
}

function countFailure(earlier: Failures | undefined, guess: string, time: number): Failures {
  const before = earlier === undefined || time - earlier.at > forgottenAfter ? 0 : earlier.count;
  const count = before + 1;
  const pause = count < freeFailures ? 0 : Math.min(maxPause, 1000 * 2 ** (count - freeFailures));
  return { count, guess, at: time, until: time + pause };
}

/** The number of wrong tokens without a pause, since people mistype. */
const freeFailures = 5;
const maxPause = 60_000;
const forgottenAfter = 600_000;
const knownFor = 7 * 86_400_000;

// Refusals of publications, for every kind of store.

export const noPublication: ConsoleAnswer = refuseBy("no-publication");

/** @param hash that of the file's present text */
export function isStale({ files }: PublicationRequest, file: string, hash: string | null): boolean {
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
  { warnings }: Pick<PublicationRequest, "warnings">,
): ConsoleAnswer | null {
  const open = findings.filter(({ severity }) => severity === "error" || !warnings);
  const [first] = open;
  if (first === undefined) return null;
  const { file, line, message } = first;
  const where = file === "" ? "" : `${file}:${line}: `;
  return refuseBy("unchecked", { first: `${where}${message}` }, { findings: open });
}

export function refuseUnseen(
  grant: Grant,
  files: readonly { readonly file: string; readonly instances: readonly string[] }[],
): ConsoleAnswer | null {
  const found = files.find(({ instances }) => !instances.every((name) => maySee(grant, name)));
  return found === undefined ? null : refuseBy("other-instances", { file: found.file });
}
