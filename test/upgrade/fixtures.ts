import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root, type Talk } from "./stage.ts";

/** What the version of the fixtures has left: see write-fixtures.ts. */
export const directory: string = join(root, "test/fixtures/upgrade-788c09d");

/** What is known of a conversation when its gateway is killed. */
export interface Noted {
  /** What was said last. */
  readonly last?: readonly string[];
  /** Value of the option that says yes. */
  readonly option?: unknown;
  /** Path of its stream. */
  readonly events?: string | null;
  /** Id of the last event that the stream has carried. */
  readonly lastEvent?: string;
  /** Id of its chat. */
  readonly chat?: string | null;
}

export interface Kept {
  /** When the gateway was killed, in milliseconds since the epoch. */
  readonly killed: number;
  /** Path of the signed route of each product. */
  readonly routes: Readonly<Record<string, string>>;
  readonly conversations: Readonly<Record<string, Talk & Noted & { readonly key: string }>>;
}

export function kept(): Kept {
  return JSON.parse(readFileSync(join(directory, "conversations.json"), "utf8")) as Kept;
}
