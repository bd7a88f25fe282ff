import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { measureSources } from "../build/house/house.ts";
import { reportOf } from "../build/house/report.ts";
import { startProgram } from "../build/house/requests/program.ts";

const folder = mkdtempSync(join(tmpdir(), "house-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("npm run house", () => {
  it("counts lines and files, and finds what is too large", () => {
    const files = Object.fromEntries(
      Array.from({ length: 26 }, (_, index) => [`src/many/file-${index}.ts`, "export {};\n"]),
    );
    const house = measure({ ...files, "src/long.ts": "// a line\n".repeat(321) });
    expect(house.number("source lines")).toBe(347);
    expect(house.number("source files")).toBe(27);
    expect(house.names("folders with more")).toEqual(["src/many"]);
    expect(house.names("files with more")).toEqual(["src/long.ts"]);
  });

  it("finds files that one neighbour alone imports, whatever tests import", () => {
    const house = measure(
      {
        "src/a/one.ts": `import { two } from "./two.ts";\nexport const one = two;\n`,
        "src/a/two.ts": "export const two = 2;\n",
        "src/a/lazy.ts": `export const later = () => import("./late.ts");\n`,
        "src/a/late.ts": `export type { Shape } from "./shape.ts";\n`,
        "src/a/shape.ts": "export interface Shape {}\n",
        "src/b/far.ts": `import "../a/one.ts";\nimport "./large.ts";\nimport "./shared.ts";\n`,
        "src/b/large.ts": "// a line\n".repeat(248),
        "src/b/shared.ts": "export {};\n",
        "src/b/other.ts": `import "./shared.ts";\n`,
        "test/two.test.ts": `import "../src/a/two.ts";\n`,
      },
      { standaloneFiles: ["src/a/late.ts", "src/b/shared.ts", "src/gone.ts"] },
    );
    expect(house.names("one-sibling files (")).toEqual(["src/a/shape.ts", "src/a/two.ts"]);
    expect(house.names("one-sibling files with a reason")).toEqual(["src/a/late.ts"]);
    expect(house.names("exceptions for files")).toEqual(["src/b/shared.ts", "src/gone.ts"]);
  });

  it("finds circles of values, of types, and of both", () => {
    const house = measure({
      "src/a.ts": `import { b } from "./b.ts";\nexport const a = () => b;\n`,
      "src/b.ts": `import { c } from "./c.ts";\nexport const b = () => c;\n`,
      "src/c.ts": `import { a } from "./a.ts";\nexport const c = () => a;\n`,
      "src/d.ts": `import { a } from "./a.ts";\nimport type { E } from "./e.ts";\n`,
      "src/e.ts": `import { type D } from "./d.ts";\nexport type E = import("./a.ts").A;\n`,
      "src/f.ts": `import { g } from "./g.ts";\nexport const f = () => g;\n`,
      "src/g.ts": `import type { F } from "./f.ts";\nexport const g = 1;\n`,
    });
    expect(house.names("circles of imports")).toEqual([
      "src/a.ts src/b.ts src/c.ts",
      "src/d.ts src/e.ts",
      "src/f.ts src/g.ts",
    ]);
  });

  it("finds lines above 100 columns, unless a literal or an address makes them so", () => {
    const wide = "x".repeat(100);
    const house = measure({
      "src/a.ts": [
        `// ${wide}`,
        `// https://example.com/${wide}`,
        `export const text = "${wide}";`,
        `export const pattern = /${wide}/u;`,
        `export const template = \`${wide}`,
        `${wide} ${wide}\`;`,
        `export const ${wide} = 1;`,
        "",
      ].join("\n"),
      "bench/b.ts": `// ${wide}\n`,
    });
    expect(house.details("lines above 100")).toEqual(["lines 1, 7", "lines 1"]);
  });

  it("counts any, non-null assertions and casts, but no constants and renames", () => {
    const house = measure({
      "src/a.ts": [
        `import { b as c } from "./b.ts";`,
        "export const d = [c] as const;",
        "export const e = d as unknown;",
        "export const f: any = c!;",
        "",
      ].join("\n"),
      "src/b.ts": "export const b = 'any as !';\n",
    });
    expect(house.names("`any`")).toEqual(["src/a.ts:4"]);
    expect(house.names("`!`")).toEqual(["src/a.ts:4"]);
    expect(house.names("`as`")).toEqual(["src/a.ts:3"]);
  });

  it("finds banned words as whole words of names, and talk about the engine", () => {
    const house = measure(
      {
        "src/doors/front-door.ts": "export interface HTTPRung {}\nclass Indoors {}\n",
        "src/shelves.ts": "type Handle = 1;\nexport type Wire = Handle;\nexport const told = 1;\n",
        "src/slow.ts": "/** Of one\n * shape: no garbage. */\nexport {};\n",
        "src/http/fast.ts": "// V8 makes no garbage of it.\n",
        "test/slow.test.ts": "interface Heard {}\n",
      },
      { keptNames: ["Wire", "Visit"] },
    );
    expect(house.names("names with a banned word")).toEqual([
      "src/doors",
      "src/doors/front-door.ts",
      "src/shelves.ts",
      "HTTPRung",
      "Heard",
    ]);
    expect(house.names("names with a banned word that")).toEqual(["Wire"]);
    expect(house.names("exceptions for names")).toEqual(["Visit"]);
    expect(house.details("words about the engine")).toEqual(["lines 1 (one shape), 2 (garbage)"]);
  });

  it("counts the rows of the glossary, and says where there is none", () => {
    const table =
      "| noun | means | why |\n| :--- | --- | --- |\n| lease | a | b |\n| hop | c | d |\n";
    expect(measure({ "docs/glossary.md": `# Words\n\n${table}` }).names("nouns")).toEqual([
      "lease",
      "hop",
    ]);
    expect(measure({}).report(false)).toContain("there is no such file yet");
  });

  it("marks what is missed, and shows the worst three or all", () => {
    const house = measure(
      Object.fromEntries([1, 2, 3, 4].map((n) => [`src/door-${n}.ts`, "export {};\n"])),
    );
    expect(house.report(false)).toMatch(/^MISSED +names with a banned word +4 +at most 0$/m);
    expect(house.report(false)).toContain("src/door-3.ts");
    expect(house.report(false)).not.toContain("src/door-4.ts");
    expect(house.report(true)).toContain("src/door-4.ts");
    expect(house.report(true)).toMatch(/^ +source files +4 +at most 700$/m);
  });
});

describe("the files of a request", () => {
  it("are those in which a function ran, in worker threads as well", async () => {
    const program = await startProgram(repositoryOf(SERVER), ["serve"]);
    try {
      const ask = async (): Promise<unknown> => (await fetch(program.url)).text();
      await ask();
      const answered = ["src/answer.ts", "src/in-worker.ts", "src/main.ts", "src/worker.ts"];
      expect(await program.filesRunBy(ask)).toEqual(answered);
      expect(await program.filesRunBy(() => Promise.resolve())).toEqual([]);
    } finally {
      await program.stop();
    }
  });

  it("are not to be had from a program that ends before it listens", async () => {
    const root = repositoryOf({ "bin/afterword.cjs": "process.exit(1);\n" });
    await expect(startProgram(root, ["serve"])).rejects.toThrow("ended before it listened");
  });
});

/** A program that answers through a worker thread, and runs one function only the first time. */
const SERVER = {
  "bin/afterword.cjs": `void import("../src/main.ts");\n`,
  "src/main.ts": [
    `import { createServer } from "node:http";`,
    `import { Worker } from "node:worker_threads";`,
    `import { answer } from "./answer.ts";`,
    `import { first } from "./first.ts";`,
    `const worker = new Worker(new URL("./worker.ts", import.meta.url), { execArgv: [] });`,
    "let asked = 0;",
    "const server = createServer((_, outgoing) => {",
    "  if (asked++ === 0) first();",
    `  worker.once("message", (text) => outgoing.end(answer(text))).postMessage("x");`,
    `}).listen(0, "127.0.0.1", () => {`,
    "  console.log(`listens on http://127.0.0.1:${server.address().port}`);",
    "});",
    "",
  ].join("\n"),
  "src/answer.ts": "export const answer = (text: string) => text;\n",
  "src/first.ts": "export function first(): void {}\n",
  "src/worker.ts": [
    `import { parentPort } from "node:worker_threads";`,
    `import { inWorker } from "./in-worker.ts";`,
    `parentPort.on("message", (text) => parentPort.postMessage(inWorker(text)));`,
    "",
  ].join("\n"),
  "src/in-worker.ts": "export function inWorker(text: string): string { return text + 1; }\n",
};

/** Measures a repository of these files. Measures are named by how their titles begin. */
function measure(
  files: Readonly<Record<string, string>>,
  { standaloneFiles = [], keptNames = [] }: Partial<Record<string, readonly string[]>> = {},
) {
  const measures = measureSources(repositoryOf(files), {
    standaloneFiles: standaloneFiles.map((file) => ({ file, reason: "a test" })),
    keptNames: keptNames.map((name) => ({ name, reason: "a test" })),
  });
  const named = (start: string) => {
    const found = measures.find(({ title }) => title.startsWith(start));
    if (found === undefined) throw new Error(`no measure is called ${start}`);
    return found;
  };
  return {
    number: (start: string) => named(start).value,
    names: (start: string) => named(start).findings.map(({ name }) => name),
    details: (start: string) => named(start).findings.map(({ detail }) => detail),
    report: (all: boolean) => reportOf(measures, all),
  };
}

function repositoryOf(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(folder, "probe-"));
  mkdirSync(join(root, "src"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}
