import type { RawHeaders } from "./exchange.ts";
import { joinedFieldOf, membersOf } from "./headers.ts";

const decodable: ReadonlySet<string> = new Set([
  "gzip",
  "x-gzip",
  "deflate",
  "br",
  "identity",
  "*",
]);

/** On routes where the answer is read, the upstream is not offered codings that we cannot read. */
export function readableCodings(headers: readonly string[]): RawHeaders {
  const offered = joinedFieldOf(headers, "accept-encoding");
  if (offered === null) return headers;
  const members = membersOf(offered);
  const kept = members.filter((member) =>
    decodable.has(member.split(";", 1)[0]?.trim().toLowerCase() ?? ""),
  );
  if (kept.length === members.length) return headers;
  const out: string[] = [];
  let written = false;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? "";
    if (name.toLowerCase() !== "accept-encoding") out.push(name, headers[i + 1] ?? "");
    else if (!written) {
      written = true;
      out.push(name, kept.length === 0 ? "identity" : kept.join(", "));
    }
  }
  return out;
}
