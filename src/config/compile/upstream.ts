import { type Address, readAddress } from "../schema/address.ts";
import type { UpstreamTimeouts, UpstreamConfig } from "../config.ts";
import { isEmbedded } from "../load/embedded.ts";
import { withWritten } from "./inherited-settings.ts";
import type { WrittenUpstream } from "../schema/config.ts";
import type { Section } from "../../yaml/section.ts";

/** The embedded backend, wholly: the short form `upstream: embedded`. */
const EMBEDDED: UpstreamConfig = {
  auth: "embedded:auth",
  chat: "embedded:chat",
  apis: {
    chatbot: "embedded:chatbot",
    knowledge: "embedded:knowledge",
    ticketing: "embedded:ticketing",
  },
  allow: [],
  keyHeader: "x-vendor-key",
  timeouts: { connect: 3000, headers: 27_000, total: 28_000, idle: 60_000 },
};

const VENDOR: UpstreamConfig = { ...EMBEDDED, auth: "", chat: null, apis: {} };

/** Known clients give up after this time, so longer timeouts are useless. */
const CLIENTS_WAIT = 30_000;

/**
 * Fills in an upstream. A mapping inherits its missing keys (an instance's from the global one). If
 * it names another `auth`, it does not inherit addresses, because they belong to the other `auth`.
 */
export function compileUpstream(
  written: WrittenUpstream,
  inherited: UpstreamConfig | null,
  section: Section,
): UpstreamConfig {
  if (written === "embedded") return EMBEDDED;
  const base = findStartingPoint(written, inherited);
  if (base === null) {
    const message = 'the key "auth" is missing here';
    const hint = "Name the address that serves /v1/auth, or write upstream: embedded.";
    section.key.error("missing-key", message, hint);
    return VENDOR;
  }
  const read = (name: "auth" | "chat"): string | null => {
    const address = written[name];
    return address === undefined
      ? base[name]
      : baseOf(readAddress(address), name, section.at(name));
  };
  const apis = Object.entries(written.apis ?? {}).map(([product, address]): [string, string] => [
    product,
    baseOf(readAddress(address), product, section.at("apis", product)),
  ]);
  return {
    auth: read("auth") ?? "",
    chat: read("chat"),
    apis: { ...base.apis, ...Object.fromEntries(apis) },
    allow:
      written.allow === undefined ? base.allow : readAllowed(written.allow, section.at("allow")),
    keyHeader: written.keyHeader ?? base.keyHeader,
    timeouts: compileTimeouts(written.timeouts ?? {}, base.timeouts, section.at("timeouts")),
  };
}

function findStartingPoint(
  written: Exclude<WrittenUpstream, "embedded">,
  inherited: UpstreamConfig | null,
): UpstreamConfig | null {
  if (written.auth === undefined) return inherited;
  if (written.auth === "embedded") return { ...EMBEDDED, chat: null };
  if (inherited === null || isEmbedded(inherited.auth)) return VENDOR;
  // Same vendor, another region: settings stay, addresses do not.
  return { ...inherited, chat: null, apis: {} };
}

function baseOf(address: Address, product: string, section: Section): string {
  if (address.kind === "embedded") return `embedded:${product}`;
  if (address.kind === "refused") {
    section.error("invalid-value", address.message, address.hint);
    return "";
  }
  if (!address.secure && address.reach === "private") {
    const message = "tokens and secrets travel to this address without encryption";
    section.warn("insecure-upstream", message);
  }
  if (/\/v\d+$/i.test(address.base)) {
    const message = "Afterword puts /v1 behind this address by itself";
    const hint = "Write the address without the version at its end.";
    section.warn("address-version", message, hint);
  }
  return address.base;
}

function readAllowed(hosts: readonly string[], section: Section): readonly string[] {
  for (const [index, host] of hosts.entries()) {
    if (!/^\.?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$|^\[[0-9a-f:.]+\]$/i.test(host)) {
      const message =
        "a host such as api.example.com or a suffix such as .example.com is needed here";
      section.at(index).error("invalid-value", message);
    } else if (host.startsWith(".") && isInside(`https://inside${host}`)) {
      const message = `names below ${host} are private, and a suffix allows public addresses only`;
      const hint = "List each host by its whole name.";
      section.at(index).warn("suffix-is-private", message, hint);
    }
  }
  return hosts.map((host) => host.toLowerCase());
}

function isInside(written: string): boolean {
  const address = readAddress(written);
  return address.kind === "http" && address.reach !== "public";
}

function compileTimeouts(
  written: Partial<Record<keyof UpstreamTimeouts, number | undefined>>,
  base: UpstreamTimeouts,
  section: Section,
): UpstreamTimeouts {
  for (const name of ["headers", "total"] as const) {
    const value = written[name];
    if (value === undefined || (value > 0 && value < CLIENTS_WAIT)) continue;
    const message = `known clients give up after ${CLIENTS_WAIT / 1000}s, before this`;
    section.at(name).warn("timeout-too-long", message);
  }
  return withWritten(base, written);
}
