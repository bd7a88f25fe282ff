import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { createFolder } from "./fixtures/folder.ts";
import { importsOf, reachableFrom } from "./fixtures/imports.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * The denied imports, as the lint rule lists them: for each part the parts that it may not import.
 * They are written only there.
 */
const DENIED: ReadonlyMap<string, readonly string[]> = new Map(
  wallsOf(JSON.parse(readFileSync(join(root, ".oxlintrc.json"), "utf8")) as LintRules),
);
const PARTS = [...DENIED.keys(), "cli"];

const PLATFORM = [
  "node:fs",
  "node:fs/promises",
  "fs",
  "fs/promises",
  "path",
  "stream",
  "undici",
  "@hono/node-server",
];
const LOADERS = ["yaml", "zod", "i18next"];

/** Packages and built-ins that a part may not import. */
const NOT_FOR: Readonly<Record<string, readonly string[]>> = {
  json: [...PLATFORM, ...LOADERS, "hono", "hono/cors"],
  locales: [...PLATFORM, ...LOADERS, "hono", "hono/cors"],
  matching: [...PLATFORM, ...LOADERS, "hono", "hono/cors"],
  "direct-answers": [...PLATFORM, ...LOADERS, "hono", "hono/cors"],
  api: [...PLATFORM, "yaml", "i18next"],
  conversation: [...PLATFORM, ...LOADERS],
  escalation: [...PLATFORM, ...LOADERS],
  gateway: [...PLATFORM, ...LOADERS],
  "runtime/web": [...PLATFORM, ...LOADERS],
  "runtime/node": LOADERS,
};

interface Probe {
  /** Folder under src/. */
  readonly from: string;
  readonly specifier: string;
}

const uphill: readonly Probe[] = [...DENIED].flatMap(([from, denied]) =>
  denied.flatMap((to) => [
    { from, specifier: `../${to}/any.ts` },
    { from, specifier: `../${to}/deeper/any.ts` },
    { from: `${from}/deeper`, specifier: `../../${to}/any.ts` },
  ]),
);
/** The modules that create configuration: the gateway only sees their result. */
const MAKING = [
  "load/load.ts",
  "compile/lines.ts",
  "edit/messages.ts",
  "reload/hot-reload.ts",
  "check/check.ts",
  "schema/config.ts",
];

const foreign: readonly Probe[] = [
  ...Object.entries(NOT_FOR).flatMap(([from, names]) =>
    names.map((specifier) => ({ from, specifier })),
  ),
  ...MAKING.map((file) => ({ from: "gateway", specifier: `../config/${file}` })),
];
const downhill: readonly Probe[] = [
  ...PARTS.flatMap((from) =>
    PARTS.filter((to) => mayKnow(from, to)).map((to) => ({ from, specifier: `../${to}/any.ts` })),
  ),
  { from: "gateway", specifier: "hono" },
  { from: "gateway", specifier: "../config/match.ts" },
  { from: "gateway", specifier: "../config/check/coverage.ts" },
  { from: "gateway", specifier: "../config/schema/media-types.ts" },
  { from: "gateway", specifier: "./any.ts" },
  { from: "config", specifier: "yaml" },
  { from: "config", specifier: "node:fs" },
  { from: "api", specifier: "zod" },
  { from: "backend", specifier: "node:sqlite" },
  { from: "runtime/node", specifier: "undici" },
  { from: "runtime/node", specifier: "../../gateway/any.ts" },
];

describe("the top level", () => {
  it("has the folders and files that the house is made of", () => {
    const found = readdirSync(root);
    for (const name of [
      "src",
      "locales",
      "config",
      "test",
      "package.json",
      "tsconfig.json",
      "wrangler.toml",
    ]) {
      expect(found).toContain(name);
    }
  });

  it("has a part under src/ for every name in the house, and a rule for every part", () => {
    const folders = readdirSync(join(root, "src"), { withFileTypes: true })
      .filter(
        (entry) => entry.isDirectory() && readdirSync(join(root, "src", entry.name)).length > 0,
      )
      .map(({ name }) => name);
    expect(folders.filter((name) => !PARTS.includes(name))).toEqual([]);
  });

  it("pins every dependency to one exact version", () => {
    const text = readFileSync(join(root, "package.json"), "utf8");
    const { dependencies, devDependencies } = JSON.parse(text) as Record<
      string,
      Record<string, string>
    >;
    const versions = Object.entries({ ...dependencies, ...devDependencies });
    expect(versions.length).toBeGreaterThan(10);
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/u.test(version))).toEqual([]);
  });

  it("has at most 25 scripts of npm", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      readonly scripts: object;
    };
    expect(Object.keys(scripts).length).toBeLessThanOrEqual(25);
  });

  it("has every decision in the index of decisions", () => {
    const index = readFileSync(join(root, "docs/decisions/README.md"), "utf8");
    const decisions = globSync("docs/decisions/0*.md", { cwd: root });
    expect(decisions.length).toBeGreaterThan(20);
    expect(decisions.filter((file) => !index.includes(`](${basename(file)})`))).toEqual([]);
  });

  it("has no test that is left out or that leaves the others out", () => {
    const left =
      /\b(?:it|test|describe|suite)(?:\.\w+)*\.(?:only|skip|todo|fails)\b|\b(?:xit|xdescribe|fit|fdescribe)\(/u;
    const tests = filesIn("test").filter((file) => file.endsWith(".test.ts"));
    expect(tests.length).toBeGreaterThan(50);
    expect(tests.filter((file) => left.test(readFileSync(join(root, file), "utf8")))).toEqual([]);
  });
});

describe("the files of the pages", () => {
  it("have at most 320 lines, as the linter wants it of scripts", () => {
    const files = globSync("src/**/*.{css,html}", { cwd: root });
    expect(files.length).toBeGreaterThan(10);
    const linesOf = (file: string): number =>
      readFileSync(join(root, file), "utf8").trimEnd().split("\n").length;
    expect(files.filter((file) => linesOf(file) > 320)).toEqual([]);
  });
});

describe("the sheets of the pages", () => {
  it("take every size of letters and every colour from the tokens", () => {
    const sheets = globSync("src/pages/*/*.css", { cwd: root });
    expect(sheets.length).toBeGreaterThan(5);
    const own = sheets
      .filter((sheet) => !sheet.endsWith("tokens.css"))
      .flatMap((sheet) =>
        readFileSync(join(root, sheet), "utf8")
          .replaceAll(/url\("[^"]*"\)/g, "url()")
          .split(/[;{}]/)
          .map((declaration) => declaration.trim())
          .filter((declaration) => {
            if (/^font(?:-size)?:/.test(declaration))
              return !/:\s*(?:inherit|var)/.test(declaration);
            return /^[\w-]+:.*(?:#[\da-f]{3}|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch|color)\()/is.test(
              declaration,
            );
          })
          .map((declaration) => `${sheet}: ${declaration}`),
      );
    expect(own).toEqual([]);
    const tokens = readFileSync(join(root, "src/pages/shared/tokens.css"), "utf8");
    expect(new Set(tokens.match(/--size-(?!field)[\w-]+/g)).size).toBeLessThanOrEqual(5);
  });
});

describe("the import walls", () => {
  const refused = lint([...uphill, ...foreign]);
  const allowed = lint(downhill);

  const FOLDERS = [...new Set([...PARTS, ...Object.keys(NOT_FOR)])];
  it.each(FOLDERS.filter((part) => part !== "cli" && part !== "runtime"))(
    "let the linter refuse what src/%s may not import",
    (part) => {
      const mine = [...uphill, ...foreign].filter(({ from }) => isUnder(from, part));
      expect(mine.length).toBeGreaterThan(0);
      expect(mine.filter((probe) => !refused(probe))).toEqual([]);
    },
  );

  it("name files that are there, where they name files", () => {
    const found = new Set(filesIn("src/config"));
    expect(MAKING.filter((file) => !found.has(join("src/config", file)))).toEqual([]);
  });

  it("each have files behind them", () => {
    const { overrides } = JSON.parse(
      readFileSync(join(root, ".oxlintrc.json"), "utf8"),
    ) as LintRules;
    const patterns = overrides.flatMap(({ files }) => files);
    expect(patterns.length).toBeGreaterThan(15);
    const exclude = ["**/node_modules", "dist"];
    const idle = patterns.filter(
      (pattern) =>
        !globSync(pattern, { cwd: root, exclude, withFileTypes: true }).some((one) => one.isFile()),
    );
    expect(idle).toEqual([]);
  });

  it("let the linter pass everything else", () => {
    expect(downhill.filter((probe) => allowed(probe))).toEqual([]);
  });

  it("stand in the code as it is, for every kind of import", () => {
    const through = sources().flatMap(({ file, part, imports }) =>
      imports
        .filter((specifier) => crosses(file, part, specifier))
        .map((specifier) => `${file}: ${specifier}`),
    );
    expect(through).toEqual([]);
    // The reader of imports must have found some.
    expect(sources().flatMap(({ imports }) => imports).length).toBeGreaterThan(300);
  });

  it("keep Node, yaml, zod and i18next out of what the library and the worker load", () => {
    for (const entry of ["src/runtime/web/index.ts", "src/runtime/worker/worker.ts"]) {
      const behind = reachableFrom(entry);
      expect(behind.files.size).toBeGreaterThan(30);
      // These run anywhere; jose is loaded with the first signed token of a caller.
      const anywhere = ["diff", "hono", "jose", "lru-cache"];
      const foreign = [...behind.packages].filter(
        (name) => !anywhere.includes(name) && !name.startsWith("hono/"),
      );
      expect([entry, foreign]).toEqual([entry, []]);
    }
  });

  it("keep Node out of the backend's entry, which runs in an edge worker too", () => {
    const { files, packages } = reachableFrom("src/backend/index.ts");
    expect(files.size).toBeGreaterThan(100);
    const builtIn = [...packages].filter((name) => isBuiltin(name));
    expect(builtIn).toEqual([]);
  });
});

function isUnder(folder: string, part: string): boolean {
  return folder === part || folder.startsWith(`${part}/`);
}

/** Lints one file per probe with the repository's rules. Returns whether an import was refused. */
function lint(probes: readonly Probe[]): (probe: Probe) => boolean {
  const folder = createFolder(afterAll);
  cpSync(join(root, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
  cpSync(join(root, "build", "names"), join(folder, "build", "names"), { recursive: true });
  for (const [index, { from, specifier }] of probes.entries()) {
    mkdirSync(join(folder, "src", from), { recursive: true });
    const text = `import { any } from "${specifier}";\nexport const probe = any;\n`;
    writeFileSync(join(folder, "src", from, `probe-${index}.ts`), text);
  }
  const linter = join(root, "node_modules", ".bin", "oxlint");
  const { stdout } = spawnSync(linter, ["--format", "json"], { cwd: folder, encoding: "utf8" });
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { code: string; filename: string }[];
  };
  const hit = new Set(
    diagnostics
      .filter(({ code }) => /no-restricted-imports|prefer-node-protocol/u.test(code))
      .map(({ filename }) => Number(/probe-(\d+)\.ts$/u.exec(filename)?.[1])),
  );
  return (probe) => hit.has(probes.indexOf(probe));
}

interface Source {
  readonly file: string;
  readonly part: string;
  readonly imports: readonly string[];
}

function sources(): readonly Source[] {
  return filesIn("src")
    .filter((file) => file.endsWith(".ts"))
    .map((file) => ({ file, part: partOf(file), imports: importsOf(file) }));
}

function crosses(file: string, part: string, specifier: string): boolean {
  if (!PARTS.includes(part)) return false;
  if (!specifier.startsWith(".")) return isForeign(file, specifier);
  const to = partOf(join(dirname(file), specifier));
  return PARTS.includes(to) && to !== part && !mayKnow(part, to);
}

function mayKnow(part: string, to: string): boolean {
  return to !== part && DENIED.get(part)?.includes(to) !== true;
}

interface LintRules {
  readonly overrides: readonly {
    readonly files: readonly string[];
    readonly rules: {
      readonly "no-restricted-imports"?: readonly [
        string,
        { readonly patterns: readonly { readonly regex?: string }[] },
      ];
    };
  }[];
}

function wallsOf({ overrides }: LintRules): readonly [string, readonly string[]][] {
  return overrides.flatMap(({ files, rules }) => {
    const part = /^src\/([^/]+)\/\*\*$/u.exec(files.length === 1 ? (files[0] ?? "") : "")?.[1];
    const wall = rules["no-restricted-imports"]?.[1].patterns.find(({ regex }) => regex)?.regex;
    const denied = /\(\?:([a-z|-]+)\)\/$/u.exec(wall ?? "")?.[1]?.split("|");
    return part === undefined || denied === undefined ? [] : [[part, denied] as const];
  }) as [string, readonly string[]][];
}

function isForeign(file: string, specifier: string): boolean {
  const within = relative("src", file);
  return Object.entries(NOT_FOR).some(([from, names]) => {
    return (
      within.startsWith(`${from}/`) && (names.includes(specifier) || isBuiltIn(specifier, names))
    );
  });
}

function isBuiltIn(specifier: string, names: readonly string[]): boolean {
  return names.includes("node:fs") && specifier.startsWith("node:");
}

function partOf(file: string): string {
  return relative("src", file).split("/")[0] ?? "";
}

function filesIn(folder: string): readonly string[] {
  const entries = readdirSync(resolve(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}
