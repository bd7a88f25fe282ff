// Suite: slow
import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createFolder } from "../../fixtures/folder.ts";
import {
  type ContentRefusal,
  type ContentSource,
  createContentSource,
  type ContentSourceOptions,
  type ContentTaken,
} from "../../../src/backend/content/source.ts";
import { openStorage } from "../../../src/backend/storage/open-storage.ts";
import type { Storage } from "../../../src/backend/storage/types.ts";
import { texts } from "./written.ts";
import { turns } from "../../fixtures/turns.ts";

const timing = { quiet: 30, poll: 80 };
let directory = "";
let open: ContentSource[] = [];
let stores: Storage[] = [];

beforeEach(() => {
  directory = createFolder();
  fill(directory);
});
afterEach(async () => {
  for (const source of open) await source.close();
  open = [];
  for (const storage of stores) await storage.close();
  stores = [];
});

function fill(path: string): void {
  mkdirSync(join(path, "texts"), { recursive: true });
  writeFileSync(join(path, "texts", "en.yaml"), texts[0]?.text ?? "");
  writeFileSync(join(path, "shop.yaml"), shop("First"));
}

function shop(title: string, extra = ""): string {
  return `language: en\ncontents:\n  - { id: 1, title: ${title}, answer: A }\n${extra}`;
}

async function start(options: Partial<ContentSourceOptions> = {}): Promise<{
  readonly source: ContentSource;
  readonly refusals: ContentRefusal[];
  readonly news: ContentTaken[];
  readonly changes: string[];
  readonly title: () => string | undefined;
  /** Waits until files and database have been polled three times more. */
  readonly looks: () => Promise<void>;
}> {
  const refusals: ContentRefusal[] = [];
  const changes: string[] = [];
  const news: ContentTaken[] = [];
  let looked = 0;
  const { store = empty } = options;
  const source = await createContentSource({
    directory,
    timing,
    refused: (refusal) => refusals.push(refusal),
    taken: (one) => news.push(one),
    ...options,
    store: {
      ...store,
      revision() {
        looked += 1;
        return store.revision();
      },
    },
  });
  open.push(source);
  const titleIn = (content: ReturnType<ContentSource["current"]>): string =>
    content.languages
      .get("en")
      ?.items.map(({ title }) => title)
      .join(", ") ?? "";
  source.onChange((content) => changes.push(titleIn(content)));
  return {
    source,
    refusals,
    news,
    changes,
    title: () => titleIn(source.current()),
    async looks() {
      const enough = looked + 3;
      await vi.waitFor(() => expect(looked).toBeGreaterThanOrEqual(enough), 40_000);
    },
  };
}

/** A database without contents. */
const empty: NonNullable<ContentSourceOptions["store"]> = {
  revision: async () => 0,
  all: async () => ({ revision: 0, sources: [], rows: [] }),
};

test("a changed file is in force soon, and listeners are called once", async () => {
  const { changes, title, refusals, looks } = await start();
  expect(title()).toBe("First");
  writeFileSync(join(directory, "shop.yaml"), shop("Second"));
  await vi.waitFor(() => expect(title()).toBe("Second"), 40_000);
  await looks();
  expect(changes).toStrictEqual(["Second"]);
  expect(refusals).toStrictEqual([]);
});

test("a new file, a removed file and changed engine texts are noticed", async () => {
  const { source, title } = await start();
  writeFileSync(
    join(directory, "more.yaml"),
    "language: en\ncontents: [{ id: 2, title: More, answer: A }]",
  );
  await vi.waitFor(() => expect(title()).toBe("More, First"), 40_000);
  rmSync(join(directory, "shop.yaml"));
  await vi.waitFor(() => expect(title()).toBe("More"), 40_000);
  const french = (texts[0]?.text ?? "").replace("welcome: text", "welcome: bonjour");
  writeFileSync(join(directory, "texts", "fr.yaml"), french);
  await vi.waitFor(() => expect(source.current().texts.get("fr")?.welcome).toBe("bonjour"), 40_000);
});

test("content with a mistake is refused once, with its place, and the last good one stays", async () => {
  const { source, title, changes, refusals, news, looks } = await start();
  writeFileSync(join(directory, "shop.yaml"), shop("Second", "contnets: []\n"));
  await vi.waitFor(() => expect(refusals).toHaveLength(1), 40_000);
  await looks();
  expect(refusals).toHaveLength(1);
  expect(refusals[0]?.diagnostics).toMatchObject([{ line: 4, column: 1, code: "unknown-key" }]);
  expect(source.diagnostics()).toStrictEqual(refusals[0]?.diagnostics);
  expect(title()).toBe("First");
  expect(changes).toStrictEqual([]);

  writeFileSync(join(directory, "shop.yaml"), shop("Third"));
  await vi.waitFor(() => expect(title()).toBe("Third"), 40_000);
  expect(source.diagnostics()).toStrictEqual([]);
  expect(news).toStrictEqual([{ contents: 1, mended: true }]);
  writeFileSync(join(directory, "shop.yaml"), shop("Fourth"));
  await vi.waitFor(() => expect(news).toHaveLength(2), 40_000);
  expect(news[1]).toStrictEqual({ contents: 1, mended: false });
});

test("a file that was only touched changes nothing", async () => {
  const { changes, looks } = await start();
  utimesSync(join(directory, "shop.yaml"), new Date(), new Date());
  writeFileSync(join(directory, "shop.yaml"), shop("First"));
  await looks();
  expect(changes).toStrictEqual([]);
});

test("the source waits until a writer has finished", async () => {
  const { changes, title } = await start({ timing: { quiet: 500, poll: 600 } });
  for (let round = 0; round < 8; round++) {
    writeFileSync(join(directory, "shop.yaml"), shop(`Round ${round}`));
    await turns();
  }
  await vi.waitFor(() => expect(title()).toBe("Round 7"), 40_000);
  // One, but a process that was delayed between two rounds may have been quiet for long enough.
  expect(changes.length).toBeLessThan(4);
  expect(changes.at(-1)).toBe("Round 7");
});

test("a directory that is a link may point elsewhere later", async () => {
  const link = join(directory, "current");
  for (const name of ["one", "two"]) {
    fill(join(directory, name));
    writeFileSync(join(directory, name, "shop.yaml"), shop(name));
  }
  symlinkSync("one", link);
  const { source, title } = await start({ directory: link, timing: { quiet: 30, poll: 60_000 } });
  expect(title()).toBe("one");
  symlinkSync("two", join(directory, "next"));
  renameSync(join(directory, "next"), link);
  await source.reload();
  expect(title()).toBe("two");
  // The other directory is watched now: nobody looks for a minute.
  writeFileSync(join(directory, "two", "shop.yaml"), shop("three"));
  await vi.waitFor(() => expect(title()).toBe("three"), 40_000);
});

test("polling finds changes that no file watch reports", async () => {
  const link = join(directory, "current");
  for (const name of ["one", "two"]) {
    fill(join(directory, name));
    writeFileSync(join(directory, name, "shop.yaml"), shop(name));
  }
  symlinkSync("one", link);
  const { title } = await start({ directory: link });
  // The link stands in a directory that nobody watches.
  symlinkSync("two", join(directory, "next"));
  renameSync(join(directory, "next"), link);
  await vi.waitFor(() => expect(title()).toBe("two"), 40_000);
});

test("a reload reads the files at once", async () => {
  const { source, title } = await start({ timing: { quiet: 60_000, poll: 60_000 } });
  writeFileSync(join(directory, "shop.yaml"), shop("Second"));
  await source.reload();
  expect(title()).toBe("Second");
});

test("a source cannot open with invalid content", async () => {
  writeFileSync(join(directory, "shop.yaml"), shop("First", "bogus: 1\n"));
  await expect(createContentSource({ directory, timing })).rejects.toMatchObject({
    code: "content-invalid",
    message: expect.stringContaining("shop.yaml:4:1: error: unknown key"),
  });
  await expect(createContentSource({ directory: "/nowhere", timing })).rejects.toMatchObject({
    code: "content-invalid",
  });
});

test("after close changes are ignored, and the last content still answers", async () => {
  const { source, title, changes } = await start();
  const other = await start();
  await source.close();
  writeFileSync(join(directory, "shop.yaml"), shop("Second"));
  await source.reload();
  // Long enough for another one that is open.
  await vi.waitFor(() => expect(other.title()).toBe("Second"), 40_000);
  await other.looks();
  expect(title()).toBe("First");
  expect(changes).toStrictEqual([]);
});

test("a listener that throws does not stop the others", async () => {
  const { source, changes, refusals } = await start();
  const texts: string[] = [];
  source.onChange(() => {
    throw new Error("broken");
  });
  const stop = source.onChange(() => texts.push("stopped"));
  source.onChange(() => texts.push("last"));
  stop();
  writeFileSync(join(directory, "shop.yaml"), shop("Second"));
  await vi.waitFor(() => expect(texts).toStrictEqual(["last"]), 40_000);
  expect(changes).toStrictEqual(["Second"]);
  expect(refusals).toMatchObject([{ diagnostics: [], error: { message: "broken" } }]);
});

test("content on which compiling fails is not called in force, nor mended later", async () => {
  let revision = 0;
  const store: NonNullable<ContentSourceOptions["store"]> = {
    revision: async () => revision,
    // A row that no database returns, as the thread must fail rather than find a mistake.
    all: async () => ({ revision, sources: [], rows: revision === 1 ? [null as never] : [] }),
  };
  const { source, refusals, news, looks } = await start({ store });
  revision = 1;
  await vi.waitFor(() => expect(refusals).toHaveLength(1), 40_000);
  await looks();
  expect(news).toStrictEqual([]);
  expect(await source.bringIn(null)).toContain("the thread that compiles content failed");
  revision = 2;
  await vi.waitFor(() => expect(news).toStrictEqual([{ contents: 1, mended: true }]), 40_000);
  expect(await source.bringIn(null)).toBeNull();
});

/** A real database that can be made silent. */
async function database(): Promise<{
  readonly store: NonNullable<ContentSourceOptions["store"]>;
  readonly state: { broken: boolean; reads: number; meanwhile: () => Promise<void> };
  readonly put: (documents: readonly Document[], parts?: object) => Promise<void>;
}> {
  const storage = await openStorage(null);
  stores.push(storage);
  const state = { broken: false, reads: 0, meanwhile: async (): Promise<void> => undefined };
  const scope = { project: "*", language: "en" };
  return {
    state,
    store: {
      revision: async () => {
        if (state.broken) throw new Error("the database does not answer");
        return storage.contents.revision();
      },
      all: async () => {
        state.reads += 1;
        await state.meanwhile();
        return storage.contents.all();
      },
    },
    put: (documents, parts = {}) =>
      storage.contents.replace(
        { ...scope, document: parts },
        documents.map((document) => ({ id: document.id, document, modified: null })),
      ),
  };
}

interface Document {
  readonly id: number;
  readonly title: string;
  readonly answer: string;
  readonly related?: readonly number[];
}

test("a database's contents join those of the files, and replace those with equal ids", async () => {
  const { store, state, put } = await database();
  const { title, changes, looks } = await start({ store });
  expect(title()).toBe("First");
  await put([
    { id: 2, title: "Second", answer: "A", related: [1] },
    { id: 1, title: "Changed", answer: "A" },
  ]);
  await vi.waitFor(() => expect(title()).toBe("Changed, Second"), 40_000);
  await looks();
  expect(changes).toStrictEqual(["Changed, Second"]);
  // Read when the revision grows, and not with every look.
  expect(state.reads).toBe(2);
});

test("a database's categories, customized answers and synonyms join those of the files", async () => {
  writeFileSync(
    join(directory, "shop.yaml"),
    shop(
      "First",
      "categories: [{ id: 1, name: A }, { id: 2, name: B }]\ncustomized: { welcome: 1, no-results: 1 }\nsynonyms: [[a, b]]\n",
    ),
  );
  const { store, put } = await database();
  await put([{ id: 2, title: "T", answer: "A" }], {
    categories: [{ id: 2, name: "Better", parent: 1 }],
    customized: { welcome: 2 },
    synonyms: [["c", "d"]],
  });
  const { source } = await start({ store });
  expect(source.current().languages.get("en")).toMatchObject({
    categories: [{ name: "A" }, { name: "Better", parent: 1 }],
    customized: { welcome: 2, "no-results": 1 },
    synonyms: [
      ["a", "b"],
      ["c", "d"],
    ],
  });
});

test("a mistake in a database's content is reported with its document", async () => {
  const { store, put } = await database();
  const { title, refusals } = await start({ store });
  await put([{ id: 2, title: "T", answer: "A", related: [9] }]);
  await vi.waitFor(() => expect(refusals).toHaveLength(1), 40_000);
  expect(refusals[0]?.diagnostics).toMatchObject([
    {
      file: "database (en, content 2)",
      line: 6,
      column: 5,
      message: "there is no content 9 in en",
    },
  ]);
  expect(title()).toBe("First");
});

test("a database that does not answer is reported once, and read again when it returns", async () => {
  const { store, state, put } = await database();
  const { title, refusals, news, looks } = await start({ store });
  state.broken = true;
  await vi.waitFor(() => expect(refusals).toHaveLength(1), 40_000);
  await looks();
  expect(refusals).toMatchObject([
    { diagnostics: [], error: { message: "the database does not answer" } },
  ]);
  state.broken = false;
  await vi.waitFor(() => expect(news).toStrictEqual([{ contents: 1, mended: true }]), 40_000);
  await put([{ id: 1, title: "Back", answer: "A" }]);
  await vi.waitFor(() => expect(title()).toBe("Back"), 40_000);
});

test("a change to a database during a read is found", async () => {
  const { store, state, put } = await database();
  const { title } = await start({ store });
  state.meanwhile = async () => {
    state.meanwhile = async () => undefined;
    await put([{ id: 1, title: "Newer", answer: "A" }]);
  };
  await put([{ id: 1, title: "New", answer: "A" }]);
  await vi.waitFor(() => expect(title()).toBe("Newer"), 6_000);
});

test("files that did not change are compiled once for all who open their directory", async () => {
  const first = await start();
  const second = await start();
  expect(second.source.current()).toBe(first.source.current());
  writeFileSync(join(directory, "shop.yaml"), shop("Second"));
  const third = await start();
  expect(third.title()).toBe("Second");
});
