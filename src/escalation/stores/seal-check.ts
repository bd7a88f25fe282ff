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
 * @param hasKeys true if `state.key` is set
 * @throws AfterwordError `config-invalid`, without any part of a key
 */
export async function checkSeal(
  mark: SealMark,
  sealing: Sealing,
  { where, hasKeys }: { readonly where: string; readonly hasKeys: boolean },
): Promise<void> {
  const found = await mark.read();
  if (found === null) {
    if (hasKeys) await mark.write(await sealing.seal(markText, markKey));
    return;
  }
  if ((await sealing.open(found, markKey)) !== markText) {
    throw new AfterwordError("config-invalid", explain(where, hasKeys));
  }
  if (!sealing.isCurrent(found)) await mark.write(await sealing.seal(markText, markKey));
}

const markText = "afterword";
const markKey = "mark";

function explain(where: string, hasKeys: boolean): string {
  return hasKeys
    ? `state.key does not open the entries of ${where}: append the key that they were written with, separated by a comma`
    : `${where} holds encrypted entries, and state.key is not set: set the key that they were written with`;
}
