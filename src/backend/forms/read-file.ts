/**
 * What stands for a file that the client has uploaded elsewhere: an https address, or the id of a
 * media (letters, digits, `_`, `-`, `.`). Only its form is looked at: nothing is fetched, so its
 * size and its type are the receiver's to check. Null for anything else, such as `data:` addresses,
 * which would carry the file itself through the conversation.
 */
export function readFileReference(text: string): string | null {
  const written = text.trim();
  if (/^[A-Za-z0-9][\w.-]{7,127}$/.test(written)) return written;
  if (written.length > maxAddress || !/^https:\/\/\S+$/i.test(written)) return null;
  if (!URL.canParse(written)) return null;
  const { username, password, href } = new URL(written);
  return username === "" && password === "" ? href : null;
}

const maxAddress = 2048;
