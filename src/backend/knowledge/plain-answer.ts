/**
 * The text of HTML: without tags, scripts, styles and comments, one space between words. For
 * reading, not for a page.
 */
export function plainAnswer(html: string): string {
  return html
    .slice(0, LONGEST)
    .replace(/<!--[^]*?(?:-->|$)/g, " ")
    .replace(/<(script|style)\b[^]*?(?:<\/\1\s*>|$)/gi, " ")
    .replace(/<(?:[a-z/!?][^>]*)?(?:>|$)/gi, " ")
    .replace(/&(#x[\da-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi, (whole, name: string) =>
      entity(whole, name),
    )
    .replace(/\s+/g, " ")
    .trim();
}

const LONGEST = 200_000;

const named: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "],
]);

function entity(whole: string, name: string): string {
  if (!name.startsWith("#")) return named.get(name.toLowerCase()) ?? whole;
  const hex = name[1] === "x" || name[1] === "X";
  const point = Number.parseInt(name.slice(hex ? 2 : 1), hex ? 16 : 10);
  return point > 0 && point <= 0x10_ffff ? String.fromCodePoint(point) : " ";
}
