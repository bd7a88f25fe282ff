/**
 * An e-mail address as it can be written to, or null: one `@`, no quoting, a domain with a dot,
 * letters of any script (RFC 6531, and IDNA by the URL parser). `mailto:` and angle brackets around
 * it are left away. The domain comes out in lower case, in the script it was typed in.
 *
 * @example
 * readEmail("Anna@Müller.example"); // "Anna@müller.example"
 */
export function readEmail(text: string): string | null {
  const written = text
    .normalize("NFKC")
    .trim()
    .replace(/^<(.*)>$/u, "$1")
    .replace(/^mailto:/iu, "");
  const [local = "", domain = "", ...rest] = written.split("@");
  if (rest.length > 0 || !localForm.test(local) || octets(local) > 64) return null;
  const ascii = asciiDomain(domain);
  if (ascii === null || octets(local) + 1 + ascii.length > 254) return null;
  return `${local}@${domain.toLowerCase()}`;
}

// RFC 5321, 4.1.2: dot-string; beyond ASCII as RFC 6531, 3.3 extends it.
const localForm =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const domainForm = /^[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+$/u;

function asciiDomain(domain: string): string | null {
  if (domain.length > 253 || !domainForm.test(domain)) return null;
  const address = `https://${domain}/`;
  if (!URL.canParse(address)) return null;
  const labels = new URL(address).hostname.split(".");
  const fits = labels.every((label) => /^(?!-)[a-z0-9-]{1,63}(?<!-)$/.test(label));
  const last = labels.at(-1) ?? "";
  return fits && last.length > 1 && /[a-z]/.test(last) ? labels.join(".") : null;
}

function octets(text: string): number {
  return new TextEncoder().encode(text).length;
}
