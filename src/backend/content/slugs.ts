/** A content or category that needs a slug. */
export interface Titled {
  readonly id: number;
  readonly title: string;
  /** The slug that its author has chosen. */
  readonly slug?: string | undefined;
}

/**
 * Assigns a slug to each id. Chosen slugs stay, and the others are made from the titles. If two of
 * these are equal, the lower id gets the slug, and the higher one gets it with its id appended, so
 * that a content that is added later changes no address.
 */
export function slugsFor(all: readonly Titled[]): ReadonlyMap<number, string> {
  const slugs = new Map<number, string>();
  const taken = new Set<string>();
  for (const { id, slug } of all) {
    if (slug === undefined) continue;
    slugs.set(id, slug);
    taken.add(slug);
  }
  for (const { id, title, slug } of all.toSorted((a, b) => a.id - b.id)) {
    if (slug !== undefined) continue;
    const preferred = slugOf(title) ?? String(id);
    let found = taken.has(preferred) ? `${preferred}-${id}` : preferred;
    while (taken.has(found)) found = `${found}-${id}`;
    taken.add(found);
    slugs.set(id, found);
  }
  return slugs;
}

/**
 * Converts a title to a slug. Null if it has letters that are not Latin, because the rest of such a
 * title would say less than the id.
 *
 * @example
 * slugOf("Où est ma commande ?"); // "ou-est-ma-commande"
 * slugOf("Где мой заказ?"); // null
 */
export function slugOf(title: string): string | null {
  const plain = title
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[ßæœøłđðþıħŧŋĸſ]/g, (letter) => LETTERS.get(letter) ?? letter)
    // An apostrophe separates words.
    .replace(/['’ʼ]/g, "-");
  if (/[^\P{L}a-z]/u.test(plain)) return null;
  const words = plain.match(/[a-z0-9]+/g) ?? [];
  let slug = "";
  for (const word of words) {
    if (slug !== "" && slug.length + word.length >= MAX_LENGTH) break;
    slug += slug === "" ? word.slice(0, MAX_LENGTH) : `-${word}`;
  }
  return slug === "" ? null : slug;
}

const MAX_LENGTH = 80;

/** Latin letters that Unicode does not decompose. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ["ß", "ss"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ø", "o"],
  ["ł", "l"],
  ["đ", "d"],
  ["ð", "d"],
  ["þ", "th"],
  ["ı", "i"],
  ["ħ", "h"],
  ["ŧ", "t"],
  ["ŋ", "ng"],
  ["ĸ", "k"],
  ["ſ", "s"],
]);
