import type { RawHeaders } from "../../http/types.ts";
import { spellName } from "../../http/field-case.ts";
import { plainText } from "../../gateway/exchange/headers.ts";

/** A `Headers` object's fields, each `Set-Cookie` on its own line (RFC 6265 section 3). */
export function rawHeadersOf(headers: Headers): string[] {
  const out: string[] = [];
  let cookiesDone = false;
  // The iterator would cost workerd a call and an array for every field.
  headers.forEach((value, name) => {
    if (name !== "set-cookie") {
      out.push(spellName(name), value);
    } else if (!cookiesDone) {
      // Some runtimes give cookies one by one, others joined; `getSetCookie()` is right in both.
      for (const cookie of headers.getSetCookie()) out.push(name, cookie);
      cookiesDone = true;
    }
  });
  return out;
}

/**
 * Makes a `Headers` object of raw fields. A field that it refuses is left out, so that the rest of
 * the message still arrives.
 *
 * @param isLeftOut decides whether a name, in any letter case, is left out
 */
export function headersOf(fields: RawHeaders, isLeftOut?: (name: string) => boolean): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < fields.length; i += 2) {
    if (isLeftOut?.(fields[i] ?? "") === true) continue;
    try {
      headers.append(fields[i] ?? "", fields[i + 1] ?? "");
    } catch {
      // No valid name, or a control character or one above 0xFF in the value.
    }
  }
  return headers;
}

/** A reason phrase if HTTP and Fetch can carry it (RFC 9112 section 4), else empty. */
export function toCarriedReason(reason: string): string {
  return plainText.test(reason) ? reason : "";
}
