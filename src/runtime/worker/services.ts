import { AfterwordError } from "../../errors.ts";
import type { FetchLike } from "../web/fetch-request.ts";
import type { Bindings } from "./bindings.ts";
import type { Fetcher } from "./platform.ts";

/**
 * A `fetch` that reaches some hosts through service bindings, without the public network between:
 * `AFTERWORD_SERVICES` is a list such as `api.example.com=VENDOR, chat.example.com=CHAT` of hosts
 * and names of bindings.
 *
 * @throws AfterwordError `config-invalid` for an entry that is none, or a binding that is missing
 */
export function createServiceFetch(
  list: string,
  bindings: Bindings,
  fallback: FetchLike,
): FetchLike {
  const services = new Map(
    list
      .split(",")
      .map((entry) => entry.trim())
      .filter((entry) => entry !== "")
      .map((entry) => readEntry(entry, bindings)),
  );
  if (services.size === 0) return fallback;
  return (url, init) => services.get(new URL(url).host)?.fetch(url, init) ?? fallback(url, init);
}

function readEntry(entry: string, bindings: Bindings): readonly [string, Fetcher] {
  const [, host = "", name = ""] = /^([^\s=]+)=(\w+)$/.exec(entry) ?? [];
  const service = bindings[name];
  if (isFetcher(service)) return [host.toLowerCase(), service];
  const wrong =
    host === "" ? `"${entry}" is not HOST=BINDING` : `there is no service binding ${name}`;
  throw new AfterwordError(
    "config-invalid",
    `AFTERWORD_SERVICES: ${wrong}; see [[services]] in wrangler.toml`,
  );
}

function isFetcher(value: unknown): value is Fetcher {
  return typeof value === "object" && value !== null && "fetch" in value;
}
