import { createPublicKey } from "node:crypto";
import { readAddress } from "../schema/address.ts";
import type { CallerJwt } from "../config.ts";
import { toJson } from "../json.ts";
import type { WrittenCallerJwt } from "../schema/callers.ts";
import { type Section, warnOfPlainSecret } from "../../yaml/section.ts";

/** Compiles how a caller's tokens are checked. Settings that allow the wrong type of key are errors. */
export function compileCallerJwt(written: WrittenCallerJwt, section: Section): CallerJwt {
  const { issuer, audience } = written;
  const reportError = (message: string): void =>
    section.at("algorithms").error("invalid-value", message);
  const keys = keysOf(written, section);
  if (keys === null) return { issuer, audience, algorithms: [], keys: NO_KEYS };
  const shared = keys.kind === "secret";
  const supported = keys.kind === "public" ? listSupportedAlgorithms(keys.pem) : PUBLIC_ALGORITHMS;
  const algorithms = written.algorithms ?? (shared ? ["HS256"] : supported);
  if (shared && algorithms.some((algorithm) => algorithm !== "HS256")) {
    reportError("a key that is not PEM is a shared secret, and only HS256 works with it");
  } else if (!shared && algorithms.includes("HS256")) {
    // If a public key were used as a shared secret, anybody could sign (RFC 8725, 2.1).
    reportError("HS256 needs a shared secret, but these keys are public");
  } else if (
    supported.length > 0 &&
    algorithms.some((algorithm) => !shared && !supported.includes(algorithm))
  ) {
    reportError(`this key only works with ${supported.join(" and ")}`);
  }
  return { issuer, audience, algorithms, keys };
}

const PUBLIC_ALGORITHMS: readonly string[] = ["RS256", "ES256", "EdDSA"];
/** RFC 7518, 3.2 requires a key of the hash's size or larger. */
const MIN_SECRET_BYTES = 32;
const NO_KEYS: CallerJwt["keys"] = { kind: "secret", secret: "" };

function keysOf({ key, jwks }: WrittenCallerJwt, section: Section): CallerJwt["keys"] | null {
  const reportError = (at: string, message: string, hint?: string): void =>
    section.at(at).error("invalid-value", message, hint);
  if ((key === undefined) === (jwks === undefined)) {
    const message = "exactly one of key and jwks is needed here";
    section.key.error("missing-key", message);
    return null;
  }
  if (typeof jwks === "string") {
    const address = readAddress(jwks);
    if (address.kind === "refused") reportError("jwks", address.message, address.hint);
    else if (address.kind === "embedded") reportError("jwks", "an https address is needed here");
    else if (!address.secure && address.reach === "private") {
      const message =
        "keys from this address are not encrypted in transit: an attacker on the way can replace them and sign";
      section.at("jwks").warn("insecure-upstream", message);
    }
    return { kind: "jwks", url: jwks };
  }
  if (jwks !== undefined) {
    const secret = jwks.keys.some((one) => one["kty"] === "oct" || Object.hasOwn(one, "d"));
    if (secret) reportError("jwks", "only public keys belong here, and one of these is not public");
    return { kind: "keys", keys: jwks.keys.map((one) => toJson(one)) };
  }
  const text = (key ?? "").trim();
  if (text.startsWith("-----BEGIN")) {
    if (
      !text.startsWith("-----BEGIN PUBLIC KEY-----") ||
      listSupportedAlgorithms(text).length === 0
    ) {
      const message =
        "an RSA (2048 bits or more), P-256 or Ed25519 key is needed here, as -----BEGIN PUBLIC KEY-----";
      reportError("key", message, "openssl pkey -pubout makes one from a private key.");
    }
    return { kind: "public", pem: text };
  }
  if (new TextEncoder().encode(text).length < MIN_SECRET_BYTES) {
    reportError("key", `a shared secret for HS256 is at least ${MIN_SECRET_BYTES} bytes`);
  }
  warnOfPlainSecret(section.at("key"));
  return { kind: "secret", secret: text };
}

/** Lists the algorithms that a public key can verify; empty if it is too weak or not a public key. */
function listSupportedAlgorithms(pem: string): readonly string[] {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey(pem);
    if (asymmetricKeyType === "ed25519") return ["EdDSA"];
    if (asymmetricKeyType === "ec") {
      return asymmetricKeyDetails?.namedCurve === "prime256v1" ? ["ES256"] : [];
    }
    const strong = (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048;
    return asymmetricKeyType === "rsa" && strong ? ["RS256"] : [];
  } catch {
    return [];
  }
}
