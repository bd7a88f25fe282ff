/**
 * The text as a string of its own. What a parser cuts out of a file points into the file's text: it
 * keeps all of that alive, and whoever compares it reads there. Text outside of Latin-1 is returned
 * as it is.
 */
export function detached(text: string): string {
  return LATIN1.test(text) ? Buffer.from(text, "latin1").toString("latin1") : text;
}

// oxlint-disable-next-line no-control-regex
const LATIN1 = /^[\u0000-\u00ff]*$/;
