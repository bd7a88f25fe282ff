/**
 * Separates an answer from the earlier mails and the signature below it, in any language: lines with
 * `>` up to the end, and the line before them that ends in a colon; a block of three lines such as
 * `From: …` with an address; what follows `-- `. Answers between quoted lines are kept, and so is a
 * text that would become empty.
 */
export function splitQuoted(text: string) {
  const lines = text.replaceAll(/\r\n?/g, "\n").split("\n");
  const cut = Math.min(...[findQuote, findHeaderBlock, findSignature].map((find) => find(lines)));
  const message = lines.slice(0, cut).join("\n").trim();
  if (message === "") return { message: text.trim(), quoted: "" };
  return { message, quoted: lines.slice(cut).join("\n").trim() };
}

/** Finds the first line of the quote at the end, its attribution included. */
function findQuote(lines: readonly string[]): number {
  const end = findSignature(lines);
  let start = end;
  for (let index = end - 1; index >= 0; index -= 1) {
    const line = lines[index] ?? "";
    if (line.startsWith(">")) start = index;
    else if (line.trim() !== "") break;
  }
  if (start === end) return lines.length;
  // A long attribution has two lines, and some programs leave an empty line below it.
  for (let index = start - 1; index >= Math.max(0, start - 4); index -= 1) {
    const line = (lines[index] ?? "").trim();
    if (/[:：]$/u.test(line)) start = index;
    else if (line !== "" && /@|\d{1,2}[:.]\d{2}/.test(line) && start - index === 1) start = index;
    else if (line !== "") break;
  }
  return start;
}

/** Finds the first of three lines that name a sender, a time, a receiver or a subject. */
function findHeaderBlock(lines: readonly string[]): number {
  for (let index = 0; index + 2 < lines.length; index += 1) {
    const three = lines.slice(index, index + 3);
    if (!three.every(isField) || !three.some((line) => /\S@\S/.test(line))) continue;
    const before = lines[index - 1] ?? "";
    return /^[-_]{4,}/.test(before.trim()) ? index - 1 : index;
  }
  return lines.length;
}

function isField(line: string): boolean {
  return /^\*?\S[^:：\n]{0,30}[:：]\*?\s*\S/u.test(line);
}

function findSignature(lines: readonly string[]): number {
  const found = lines.findIndex((line) => line === "-- " || line === "--");
  return found === -1 ? lines.length : found;
}
