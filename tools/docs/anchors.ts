import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Of a built site: each internal link to a page that is none, or to an anchor that its page lacks. */
export function brokenAnchors(site: string): readonly string[] {
  const pages = new Map(
    globSync("**/*.html", { cwd: site }).map((name) => [
      name,
      readFileSync(join(site, name), "utf8"),
    ]),
  );
  return [...pages].flatMap(([name, html]) => {
    // What VitePress puts around each page is the same on all of them.
    const content = html.slice(html.indexOf('class="main"'));
    return [...content.matchAll(/<a\b[^>]*\shref="([^"]+)"/g)].flatMap(([, link = ""]) => {
      if (/^[a-z]+:/i.test(link)) return [];
      const [path = "", anchor] = decodeURIComponent(link.replaceAll("&amp;", "&")).split("#");
      const target =
        path === ""
          ? name
          : pageAt(site, path.startsWith("/") ? path : join("/", dirname(name), path));
      if (target === null) return [`${name}: ${link} leads to no page`];
      const found =
        anchor === undefined || anchor === "" || pages.get(target)?.includes(`id="${anchor}"`);
      return found === false ? [`${name}: ${link} leads to no place of its page`] : [];
    });
  });
}

/** The file that answers a path; null: none does. */
function pageAt(site: string, path: string): string | null {
  for (const name of [path, `${path}.html`, join(path, "index.html")]) {
    const file = join(site, name);
    if (existsSync(file) && statSync(file).isFile()) return relative(site, file);
  }
  return null;
}
