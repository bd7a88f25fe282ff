import { dropTrailing } from "../../text.ts";

/** An upstream address, once parsed. */
export type Address =
  | { readonly kind: "embedded" }
  | { readonly kind: "refused"; readonly message: string; readonly hint?: string }
  | {
      readonly kind: "http";
      /** Absolute, without a trailing slash. */
      readonly base: string;
      readonly secure: boolean;
      readonly reach: "loopback" | "private" | "public";
    };

/**
 * Reads an upstream's address: `embedded`, or an absolute http(s) URL without user, query and
 * fragment. Plain http is refused for hosts that may be public, because requests contain tokens and
 * secrets.
 */
export function readAddress(written: string): Address {
  if (written === "embedded") return { kind: "embedded" };
  if (!URL.canParse(written) || !/^https?:\/\//i.test(written)) {
    return createRefused("an address such as https://api.example.com is needed here");
  }
  const url = new URL(written);
  if (url.username !== "" || url.password !== "") {
    return createRefused(
      "an address must not carry a user or password",
      "Credentials go into the instance's credentials.",
    );
  }
  if (url.search !== "" || url.hash !== "" || /[?#]/.test(written)) {
    return createRefused("an address must not have a query or a fragment");
  }
  const reach = reachOf(url.hostname);
  const secure = url.protocol === "https:";
  if (!secure && reach === "public") {
    return createRefused(
      `the address of ${url.hostname} must be https`,
      "Plain http is for loopback and private addresses.",
    );
  }
  return { kind: "http", base: dropTrailing(url.href, "/"), secure, reach };
}

function createRefused(message: string, hint?: string): Address {
  return hint === undefined ? { kind: "refused", message } : { kind: "refused", message, hint };
}

/** `hostname` as URL gives it: lower case, IPv4 in dotted form, IPv6 in brackets. */
function reachOf(hostname: string): "loopback" | "private" | "public" {
  const host = hostname.replace(/\.$/, "");
  if (host === "localhost" || host.endsWith(".localhost") || host === "[::1]") return "loopback";
  if (/^127\.\d+\.\d+\.\d+$/.test(host)) return "loopback";
  if (PRIVATE_V4.test(host) || PRIVATE_V6.test(host)) return "private";
  // A name without a dot is resolved by the local network or the container engine only.
  if (!host.includes(".") && !host.startsWith("[")) return "private";
  return PRIVATE_NAME.test(host) ? "private" : "public";
}

const PRIVATE_V4 =
  /^(?:10\.\d+|192\.168|172\.(?:1[6-9]|2\d|3[01])|169\.254|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.\d+\.\d+$/;
const PRIVATE_V6 = /^\[(?:f[cd][0-9a-f]{2}|fe[89ab][0-9a-f]):/;
const PRIVATE_NAME = /\.(?:internal|local|lan|home\.arpa|test)$/;

/** True for an IP address or a CIDR range of addresses. */
export function isAddressRange(written: string): boolean {
  const [address = "", bits, ...rest] = written.split("/");
  if (rest.length > 0) return false;
  const v6 = address.includes(":");
  if (!isAddress(address, v6)) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (v6 ? 128 : 32));
}

function isAddress(address: string, v6: boolean): boolean {
  if (v6) return /^[0-9a-f:.]+$/i.test(address) && URL.canParse(`http://[${address}]/`);
  return (
    /^\d{1,3}(?:\.\d{1,3}){3}$/.test(address) &&
    address.split(".").every((part) => Number(part) <= 255)
  );
}
