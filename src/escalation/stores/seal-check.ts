import { AfterwordError } from "../../errors.ts";
import type { Sealing } from "./sealing.ts";

/** The place of one text that tells whether a key fits to what is stored. */
export interface SealMark {
  read(): Promise<string | null>;
  write(text: string): Promise<void>;
}

/**
 * Holds the keys against what is stored, before anything of it is read or replaced. The first who
 * stores with a key leaves a mark; a mark of a former key is renewed.
 *
 * @param where what the operator knows the store by, without a secret
 * @param keyed whether there are keys
 * @throws AfterwordError `config-invalid`; no part of a key is in it
 */
export async function checkSeal(
  mark: SealMark,
  sealing: Sealing,
  { where, keyed }: { readonly where: string; readonly keyed: boolean },
): Promise<void> {
  const found = await mark.read();
  if (found === null) {
    if (keyed) await mark.write(await sealing.seal(word, about));
    return;
  }
  if ((await sealing.open(found, about)) !== word) {
    throw new AfterwordError("config-invalid", explain(where, keyed));
  }
  if (!sealing.isCurrent(found)) await mark.write(await sealing.seal(word, about));
}

const word = "afterword";
const about = "mark";

function explain(where: string, keyed: boolean): string {
  return keyed
    ? `state.key does not open what ${where} holds: put the key that it was written with behind the new one, separated by a comma`
    : `${where} holds encrypted entries, and state.key is not set: set the key that they were written with`;
}
