/** What a caller sent, as messages repeat it: short, and nothing in it that is not printable. */
export function shown(text: string): string {
  const printable = text.replaceAll(/[^\x20-\x7e]/g, "?");
  return printable.length > 60 ? `${printable.slice(0, 60)}…` : printable;
}
