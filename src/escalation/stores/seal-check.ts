import { AfterwordError } from "../../errors.ts";
import type { Sealing } from "./sealing.ts";

/** Stores one sealed text that shows whether the keys open the store's entries. */
export interface SealMark {
  read(): Promise<string | null>;
  write(text: string): Promise<void>;
}

/**
 * Checks that the keys open a store, before its entries are read or replaced. The first process with
 * a key writes the mark. A mark that was sealed with an earlier key is sealed again.
 *
 * @param where the store's name in messages, without a secret
 * @param keyed whether there are keys
 * @throws AfterwordError `config-invalid`, without any part of a key
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
    ? `state.key does not open the entries of ${where}: append the key that they were written with, separated by a comma`
    : `${where} holds encrypted entries, and state.key is not set: set the key that they were written with`;
}
