import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A script of a page, and its expected output. */
export interface TestedBlock {
  readonly script: string;
  /** Null if it only has to succeed. */
  readonly printed: { readonly language: string; readonly text: string } | null;
}

/**
 * The `sh` fences behind a line `<!-- tested -->`, each with the fence that shows its output, if
 * there is one. Fences behind `<!-- starts -->` start servers, and are left to
 * {@link startedServers}.
 */
export function testedBlocks(markdown: string): readonly TestedBlock[] {
  const found = markdown.matchAll(
    /^ *<!-- tested -->\n\s*^ *```sh\n(.*?)^ *```\n(?:\s*^ *```(console|json)\n(.*?)^ *```$)?/gmsu,
  );
  const blocks = Array.from(found, ([, script = "", language, text = ""]) => ({
    script,
    printed: language === undefined ? null : { language, text: text.trimEnd() },
  }));
  const marks = markdown.match(/^ *<!-- tested -->$/gmu)?.length ?? 0;
  if (marks !== blocks.length)
    throw new Error("a mark for tested blocks has no sh block behind it");
  return blocks;
}

/** The commands of the `sh` fences behind `<!-- starts -->`: a server in each line. */
export function startedServers(markdown: string): readonly string[] {
  return Array.from(markdown.matchAll(/^<!-- starts -->\n\s*^```sh\n(.*?)^```$/gmsu))
    .flatMap(([, script = ""]) => script.split("\n"))
    .map((line) => line.replace(/ #.*/u, "").trim())
    .filter((line) => line !== "");
}

/** The pages of a checkout: those at its root and everything under docs/. */
export async function markdownFiles(root: string): Promise<readonly string[]> {
  const docs = await readdir(join(root, "docs"), { recursive: true });
  const files = [...(await readdir(root)), ...docs.map((file) => join("docs", file))];
  return files.filter((file) => file.endsWith(".md")).map((file) => join(root, file));
}

/** Relative links whose file, or whose heading in that file, is not there: `page: link`. */
export async function brokenLinks(files: readonly string[]): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const file of files) {
    for (const link of linksOf(await readFile(file, "utf8"))) {
      const [path = "", anchor = null] = link.split("#");
      const target = path === "" ? file : join(dirname(file), path);
      if (!(await leadsSomewhere(target, anchor))) broken.push(`${file}: ${link}`);
    }
  }
  return broken;
}

function linksOf(markdown: string): readonly string[] {
  const prose = markdown.replace(/^\s*```.*?^\s*```$/gmsu, "").replace(/`[^`\n]*`/gu, "");
  return Array.from(prose.matchAll(/\]\(([^()\s]+)\)/gu), ([, link = ""]) => link).filter(
    (link) => !/^[a-z]+:/u.test(link),
  );
}

async function leadsSomewhere(target: string, anchor: string | null): Promise<boolean> {
  const text = await readFile(target, "utf8").catch((error: unknown) => {
    // A link may lead to a folder.
    return error instanceof Error && "code" in error && error.code === "EISDIR" ? "" : null;
  });
  if (text === null) return false;
  if (anchor === null) return true;
  return Array.from(text.matchAll(/^#+ (.*)$/gmu), ([, heading = ""]) => slug(heading)).includes(
    anchor,
  );
}

/** A heading's anchor as code hosts make it. */
function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

/** The pages whose TypeScript is one program each. */
export const PROGRAM_PAGES: readonly string[] = ["README.md", "docs/clients.md", "docs/library.md"];

/** Joins the TypeScript of a page, without the blocks that are marked as not run. */
export function programOf(text: string): string {
  const blocks = text.matchAll(/^(<!-- not run[^\n]*-->\n\n)?```ts\n(.*?)^```$/gmsu);
  return [...blocks].flatMap(([, notRun, block]) => (notRun ? [] : (block ?? []))).join("\n");
}
