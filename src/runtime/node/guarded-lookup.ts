import { lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { AfterwordError } from "../../errors.ts";
import { isPublicAddress } from "./public-address.ts";

/**
 * Name resolution for addresses that came from outside the configuration: fails with
 * `upstream-refused` when any of the addresses a name resolves to is not public. One is enough: a
 * name that has both is misconfigured or an attack, and picking the good one would let the other
 * side choose the moment. The socket connects to the very addresses that were looked at, so a
 * second answer of the name server changes nothing.
 */
export function createGuardedLookup(lookup: LookupFunction = systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        callback(error, "");
        return;
      }
      const addresses = typeof found === "string" ? [{ address: found, family: 4 }] : found;
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
        callback(refusal(), "");
      } else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** The error of an address that is not one we may connect to. */
export function refusal(): AfterwordError {
  return new AfterwordError(
    "upstream-refused",
    "the address is not public and is not named in the configuration",
  );
}
