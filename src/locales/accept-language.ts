// A browser sends a handful of ranges; the rest of a longer list is noise or an attack.
const MAX_LENGTH = 2_000;
const MAX_RANGES = 20;

/**
 * The language tags of an Accept-Language value (RFC 9110, 12.5.4), most wanted first. Ranges with
 * weight 0, the wildcard and ranges with a malformed weight are left out. Never throws.
 *
 * @example
 * acceptedTags("de;q=0.7, fr, *;q=0.1"); // ["fr", "de"]
 */
export function acceptedTags(header: string): readonly string[] {
  return header
    .slice(0, MAX_LENGTH)
    .split(",")
    .slice(0, MAX_RANGES)
    .map(readRange)
    .filter((range) => range.weight > 0 && range.tag !== "" && range.tag !== "*")
    .sort((one, other) => other.weight - one.weight)
    .map((range) => range.tag);
}

// qvalue = ( "0" [ "." 0*3DIGIT ] ) / ( "1" [ "." 0*3("0") ] )
const QVALUE = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/u;

function readRange(text: string): { readonly tag: string; readonly weight: number } {
  const [tag = "", ...parameters] = text.split(";").map((part) => part.trim());
  const parameter = parameters.find((part) => /^q\s*=/iu.test(part));
  if (parameter === undefined) return { tag, weight: 1 };
  const value = parameter.slice(parameter.indexOf("=") + 1).trim();
  return { tag, weight: QVALUE.test(value) ? Number(value) : 0 };
}
