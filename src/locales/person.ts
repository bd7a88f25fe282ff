/**
 * The e-mail address that somebody typed, or null: one `@`, no quoting, letters of any script (RFC
 * 6531, and IDNA by the URL parser), a domain with a dot. Everything around it is removed: a name
 * before angle brackets, `mailto:`, brackets, quotation marks, punctuation, invisible characters.
 * The domain comes back in lower case, in the script it was typed in.
 *
 * @example
 * readMailAddress("Ada <Ada@Müller.example>."); // "Ada@müller.example"
 */
export function readMailAddress(typed: string): string | null {
  if (typed.length > maxTypedLength) return null;
  const text = typed.normalize("NFKC").replace(FORMAT, "").trim();
  const written = withoutEdges(readBrackets(text) ?? text).replace(/^mailto:/iu, "");
  const [local = "", domain = "", ...rest] = written.split("@");
  if (rest.length > 0 || !LOCAL.test(local) || octetsOf(local) > 64) return null;
  const ascii = toAsciiDomain(domain);
  if (ascii === null || octetsOf(local) + 1 + ascii.length > 254) return null;
  return `${local}@${domain.toLowerCase()}`;
}

/** An address, or a text with one, as it is compared: some systems send decomposed letters. */
export function toComparable(text: string): string {
  return text.trim().normalize("NFC").toLowerCase();
}

/**
 * Reads a typed name, with single spaces and without invisible characters. Null when it is too
 * long, or does not look like a name.
 *
 * @example
 * readPersonName(" Ada\u200f  Lovelace "); // "Ada Lovelace"
 */
export function readPersonName(typed: string): string | null {
  const text = typed.toWellFormed().normalize("NFC").replace(FORMAT_IN_NAMES, "");
  const name = text.replace(/\s+/gu, " ").replace(EDGE_JOINERS, "").trim();
  const isName = /\p{L}/u.test(name) && !/[\p{Cc}<>]/u.test(name);
  return isName && Array.from(name).length <= maxNameLength ? name : null;
}

const maxNameLength = 120;
const maxTypedLength = 1000;

const FORMAT = /\p{Cf}/gu;
// Zero-width joiners are part of the spelling of names in Persian, Sinhala and others.
const FORMAT_IN_NAMES = /(?![\u200C\u200D])\p{Cf}/gu;
const EDGE_JOINERS = /^[\s\u200C\u200D]+|[\u200C\u200D]$/gu;

// RFC 5321, 4.1.2: dot-string; beyond ASCII as RFC 6531, 3.3 extends it.
const LOCAL =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const DOMAIN = /^[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+$/u;

/** Reads the address in angle brackets after a name; null if there is none. */
function readBrackets(text: string): string | null {
  const [open, close] = [text.lastIndexOf("<"), text.lastIndexOf(">")];
  const isLast = withoutEdges(text.slice(close + 1)) === "";
  return open !== -1 && close > open && isLast ? text.slice(open + 1, close) : null;
}

/** Removes brackets, quotation marks and white space around it, and punctuation after it. */
function withoutEdges(text: string): string {
  let begin = 0;
  let end = text.length;
  while (begin < end && OPENING.test(text.charAt(begin))) begin += 1;
  while (end > begin && CLOSING.test(text.charAt(end - 1))) end -= 1;
  return text.slice(begin, end);
}

const OPENING = /[\s<([{"'`\p{Pi}\p{Ps}]/u;
const CLOSING = /[\s>)\]}"'`\p{Pf}\p{Pe}\p{Pi}.,;:!?。、،؛؟।]/u;

function toAsciiDomain(domain: string): string | null {
  if (domain.length > 253 || !DOMAIN.test(domain)) return null;
  const address = `https://${domain}/`;
  if (!URL.canParse(address)) return null;
  const labels = new URL(address).hostname.split(".");
  const fits = labels.every((label) => /^(?!-)[a-z0-9-]{1,63}(?<!-)$/.test(label));
  const last = labels.at(-1) ?? "";
  return fits && last.length > 1 && /[a-z]/.test(last) ? labels.join(".") : null;
}

function octetsOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
