import { existsSync, readFileSync, readdirSync } from "node:fs";
import { expect, it } from "vitest";

const root = new URL("../../../", import.meta.url);
const page = readFileSync(new URL("docs/architecture.md", root), "utf8");

it("the architecture names every part of src/ in its tree, and no other", () => {
  const [, tree = ""] = /```\nsrc\/\n(.*?)```/su.exec(page) ?? [];
  const [inSource = ""] = tree.split(/^locales\//mu);
  const named = Array.from(inSource.matchAll(/^ {2}([\w-]+)\//gmu), ([, name]) => name);
  const parts = readdirSync(new URL("src/", root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(named.toSorted()).toEqual(parts.toSorted());
});

it("the size that the architecture gives of each part is that of its code, give or take a quarter", () => {
  const sizes = Array.from(page.matchAll(/^ {2}([\w-]+)\/ +([\d,]+) {2}/gmu));
  const wrong = sizes.flatMap(([, part = "", size = ""]) => {
    const lines = codeLines(part);
    const given = Number(size.replace(",", ""));
    return Math.abs(given - lines) > lines / 4 ? [`${part}: ${lines}`] : [];
  });
  expect(sizes.length).toBeGreaterThan(15);
  expect(wrong).toEqual([]);
});

/** Without blank lines and comments. */
function codeLines(part: string): number {
  const folder = new URL(`src/${part}/`, root);
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:ts|js|css|html)$/u.test(name))
    .flatMap((name) => readFileSync(new URL(name, folder), "utf8").split("\n"))
    .filter((line) => !/^\s*(?:$|\/\/|\/?\*)/u.test(line)).length;
}

it("the architecture names only files that are there", () => {
  const prose = page.replace(/```.*?```/gsu, "");
  const names = Array.from(prose.matchAll(/`([\w./-]+\.ts)`/gu), ([, name = ""]) => name);
  // A part's section names its files without its folder.
  const folders = ["", "src/", "src/gateway/", "src/escalation/", "src/backend/"];
  folders.push("src/gateway/escalation/", "src/backend/chatbot/", "src/backend/chat/");
  const missing = names.filter(
    (name) => !folders.some((folder) => existsSync(new URL(folder + name, root))),
  );
  expect(names.length).toBeGreaterThan(30);
  expect(missing).toEqual([]);
});

it.each(
  readdirSync(new URL("src/", root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name),
)("src/%s has a README of at most 20 lines, which names only files that are there", (part) => {
  const folder = new URL(`src/${part}/`, root);
  const text = readFileSync(new URL("README.md", folder), "utf8");
  expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(20);
  expect(text).toContain("Tests: `test/");
  const linked = Array.from(text.matchAll(/\]\(([^)]+)\)/gu), ([, file = ""]) => file);
  expect(linked.filter((file) => !existsSync(new URL(file, folder)))).toEqual([]);
});
