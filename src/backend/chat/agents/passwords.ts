import { isSameText, toBase64Url } from "../../../json/bytes.ts";
import { Refusal } from "../../http/refusal.ts";

/** Iterations of PBKDF2. Tests use fewer. */
export const USUAL_ROUNDS = 210_000;

/** Derives 256 bits with PBKDF2 and SHA-512 (NIST SP 800-132). Deliberately takes 0.1 seconds. */
export type Derive = (password: string, salt: string, rounds: number) => Promise<Uint8Array>;

/** Makes the stored form of a password: a key derived from it. `salt` is 16 random bytes. */
export async function createPasswordRecord(
  password: string,
  salt: Uint8Array,
  rounds: number,
  derive: Derive = deriveHere,
): Promise<string> {
  const text = toBase64Url(salt);
  return `pbkdf2:${rounds}:${text}:${toBase64Url(await derive(normalize(password), text, rounds))}`;
}

export async function matchesPassword(
  record: string,
  password: string,
  derive: Derive,
): Promise<boolean> {
  const [kind, rounds = "", salt = "", hash = ""] = record.split(":");
  if (kind !== "pbkdf2" || !/^\d{1,7}$/.test(rounds)) return false;
  return isSameText(hash, toBase64Url(await derive(normalize(password), salt, Number(rounds))));
}

/** Derives with the platform's Web Crypto. */
export const deriveHere: Derive = async (password, salt, iterations) => {
  const text = new TextEncoder();
  const bytes = text.encode(password);
  const key = await crypto.subtle.importKey("raw", bytes, "PBKDF2", false, ["deriveBits"]);
  const algorithm = { name: "PBKDF2", hash: "SHA-512", salt: text.encode(salt), iterations };
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, 256));
};

function normalize(password: string): string {
  return password.normalize("NFC");
}

/** Derives one key at a time, so that many logins keep one core busy and not all. */
export interface Derivations {
  /** Takes a place in the queue; null if it is full for this client. */
  enter(client: DerivingClient): DerivationPlace | null;
}

interface DerivingClient {
  /** Unknown clients of one network share a few places. */
  readonly network: string;
  /** Known clients have separate places, and precedence. */
  readonly known: boolean;
}

interface DerivationPlace {
  readonly derive: Derive;
  /** Frees the place. Must be called exactly once. */
  leave(): void;
}

interface DerivationOptions {
  /** Default: {@link deriveHere}. */
  readonly derive?: Derive;
  /** Places of known clients. Default 64, which is 6 seconds of work. */
  readonly known?: number;
  /** Places of unknown clients in all, and of those from one network. Default 32 and 8. */
  readonly unknown?: number;
  readonly perNetwork?: number;
}

/** Runs `work` with a place in the queue, if there is a queue. Throws 429 when it is full. */
export async function withDerivation<T>(
  derivations: Derivations | undefined,
  client: DerivingClient,
  work: (derive: Derive) => Promise<T>,
): Promise<T> {
  if (derivations === undefined) return work(deriveHere);
  const place = derivations.enter(client);
  if (place === null) {
    throw new Refusal(429, "Too many logins at once. Try again in 2 seconds.", {}, retryIn(2));
  }
  try {
    return await work(place.derive);
  } finally {
    place.leave();
  }
}

/** The header field that goes with 429. */
export function retryIn(seconds: number): Readonly<Record<string, string>> {
  return { "retry-after": String(Math.ceil(seconds)) };
}

export function createDerivations({
  derive = deriveHere,
  known = 64,
  unknown = 32,
  perNetwork = 8,
}: DerivationOptions = {}): Derivations {
  const held = { known: 0, unknown: 0 };
  /** The places that unknown clients hold, by network. */
  const networks = new Map<string, number>();
  const waiting: { readonly known: (() => void)[]; readonly unknown: (() => void)[] } = {
    known: [],
    unknown: [],
  };
  let busy = false;

  const startNext = (): void => {
    const start = waiting.known.shift() ?? waiting.unknown.shift();
    busy = start !== undefined;
    start?.();
  };
  const createQueuedDerive =
    (queue: (() => void)[]): Derive =>
    async (...given) => {
      if (busy) await new Promise<void>((start) => queue.push(start));
      busy = true;
      try {
        return await derive(...given);
      } finally {
        startNext();
      }
    };

  return {
    enter(client) {
      if (client.known && held.known < known) {
        held.known += 1;
        return {
          derive: createQueuedDerive(waiting.known),
          leave() {
            held.known -= 1;
          },
        };
      }
      const { network } = client;
      const inNetwork = networks.get(network) ?? 0;
      if (held.unknown >= unknown || inNetwork >= perNetwork) return null;
      held.unknown += 1;
      networks.set(network, inNetwork + 1);
      return {
        derive: createQueuedDerive(waiting.unknown),
        leave() {
          held.unknown -= 1;
          const left = (networks.get(network) ?? 1) - 1;
          if (left === 0) networks.delete(network);
          else networks.set(network, left);
        },
      };
    },
  };
}
