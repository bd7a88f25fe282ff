import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

/** Where the site's pages are written. Nothing in it is kept. */
export const PAGES = join(import.meta.dirname, "pages");

/** Pages beside docs/ that belong to the site, by their paths in the repository. */
const BESIDE = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"];

/** Writes README, docs/ and what stands beside them as the pages of the site. */
export function writePages(): void {
  const files = [
    ...BESIDE,
    ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => `docs/${name}`),
    "bench/intents/README.md",
    "bench/intents/bases/README.md",
  ];
  const served = new Set(files);
  for (const file of files) {
    const text = readFileSync(join(ROOT, file), "utf8");
    writePage(placeOf(file), withLinks(text, file, served));
  }
  cpSync(join(ROOT, "docs/pictures"), join(PAGES, "pictures"), { recursive: true });
  mkdirSync(join(PAGES, "public"), { recursive: true });
  cpSync(join(ROOT, "schema"), join(PAGES, "public/schema"), { recursive: true });
}

export function writePage(place: string, text: string): void {
  const file = join(PAGES, place);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Where a file of the repository stands in the site. */
function placeOf(file: string): string {
  if (file === "README.md") return "index.md";
  if (file === "docs/decisions/README.md") return "decisions/index.md";
  return file.startsWith("docs/") ? file.slice("docs/".length) : file.toLowerCase();
}

/** Links lead to pages of the site; what is no page of it is named by its path. */
function withLinks(text: string, file: string, served: ReadonlySet<string>): string {
  const from = posix.dirname(placeOf(file));
  return text.replaceAll(
    /(?<!!)\[([^\]]*)\]\((?!https?:|#|mailto:)([^)#\s]*)(#[^)\s]*)?\)/g,
    (_, words: string, target: string, anchor = "") => {
      const path = posix.join(posix.dirname(file), target).replace(/\/$/, "");
      if (path === "docs/decisions") return `[${words}](${relative(from, "decisions/index.md")})`;
      if (served.has(path)) return `[${words}](${relative(from, placeOf(path))}${anchor})`;
      return words.includes(path) || words.includes("`") ? words : `${words} (\`${path}\`)`;
    },
  );
}

function relative(from: string, place: string): string {
  const path = posix.relative(from, place);
  return path.startsWith(".") ? path : `./${path}`;
}
