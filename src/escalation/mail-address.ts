/**
 * The e-mail address in a text, or null. Pragmatic: one `@`, something before it, a host with a dot
 * and no label that DNS refuses; letters of any script on both sides (RFC 6531), no quoting and no
 * comments. What people put around it is taken off: `mailto:`, angle brackets, a full stop at the
 * end. The host comes back in lower case.
 *
 * @example
 * mailAddress("<Ada@Example.com>."); // "Ada@example.com"
 */
export function mailAddress(text: string): string | null {
  const bare = text
    .normalize("NFC")
    .replaceAll(/[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu, "")
    .trim()
    .replace(/^mailto:/iu, "")
    .replace(/^<(.*)>$/u, "$1")
    .replace(/^<(.*)>[.,;]$/u, "$1")
    .replace(/[.,;]$/u, "");
  const at = bare.lastIndexOf("@");
  const local = bare.slice(0, at);
  const host = bare.slice(at + 1).toLowerCase();
  if (at < 1 || new TextEncoder().encode(bare).length > 254 || local.length > 64) return null;
  return LOCAL.test(local) && HOST.test(host) ? `${local}@${host}` : null;
}

const LOCAL =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const LABEL = "[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?";
const HOST = new RegExp(`^(?:${LABEL}\\.)+(?!\\d+$)${LABEL}$`, "u");
