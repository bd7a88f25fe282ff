/**
 * Tags of locales with relatives next to each other: a compressor finds what two lines have in
 * common only when they stand close together. What is not listed comes last. For the build.
 */
export function byFamily(one: string, other: string): number {
  return placeOf(one) - placeOf(other);
}

function placeOf(tag: string): number {
  const exact = order.indexOf(tag);
  const place = exact === -1 ? order.indexOf(tag.replace(/-.*/, "")) : exact;
  return place === -1 ? order.length : place;
}

// A literal: what is called when a module runs stays in a bundle that has no use for it.
// prettier-ignore
const order: readonly string[] = [
  "en", "da", "no", "sv", "nl", "de", "fr", "ca", "es", "gl", "pt", "pt-BR", "it", "ro", "eu", "fi", "hu", "tr", "id", "vi",
  "pl", "cs", "ru", "uk", "el", "he", "ar", "th", "ko", "ja", "zh", "zh-Hant",
];
