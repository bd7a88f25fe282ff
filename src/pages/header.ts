/** The pages that people open. `chat` or `start` is at the root, whichever is served there. */
export type PageName = "start" | "chat" | "console" | "desk" | "docs";

export interface HeaderParts {
  readonly page: PageName;
  /** The pages that this server has. */
  readonly pages: readonly PageName[];
  /** The address of the root, relative to the page: `./` or `../`. */
  readonly root: string;
  /** The parts of a page: `shared/header.html`, and `words-en.json`. */
  readonly parts: ReadonlyMap<string, string>;
}

/**
 * Creates the header that all pages share, in English. A page's script replaces the words with those
 * of the reader's language (`data-word`, `data-label`). On a phone, links and switch are in a menu.
 */
export function headerOf({ page, pages, root, parts }: HeaderParts): string {
  const words: Readonly<Record<string, string>> = JSON.parse(parts.get("words-en.json") ?? "{}");
  const home = pages.includes("start") || pages.includes("chat") ? `href="${root}"` : "";
  return (parts.get("shared/header.html") ?? "")
    .replace('href="{{root}}"', home)
    .replaceAll("{{root}}", root)
    .replace("{{word}}", `page${page.charAt(0).toUpperCase()}${page.slice(1)}`)
    .replaceAll(/^ *<a data-page="(\w+)".*\n/gm, (link, name: string) => {
      if (name === page) return link.replace("<a ", '<a aria-current="page" ');
      return pages.some((one) => one === name) ? link : "";
    })
    .replaceAll(/data-word="(\w+)">/g, (tag, word: string) => tag + (words[word] ?? ""))
    .replaceAll(/data-label="(\w+)"/g, (tag, word: string) => `${tag} aria-label="${words[word]}"`);
}

/**
 * Finds the page for a path in the wrong letter case, such as `/Desk`. The result is relative to it.
 *
 * @param path without its query
 * @returns null for everything else
 */
export function findPageIgnoringCase(path: string, accept: string | null): string | null {
  const [, folder = "", page = ""] = /\/(_afterword\/)?(console|desk|docs)$/i.exec(path) ?? [];
  const isConsole = page.toLowerCase() === "console";
  if (isConsole !== (folder !== "") || !/\btext\/html\b/i.test(accept ?? "")) return null;
  if (`${folder}${page}` === `${folder}${page}`.toLowerCase()) return null;
  return isConsole ? "../_afterword/console" : page.toLowerCase();
}
