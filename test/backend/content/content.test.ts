import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createFolder } from "../../fixtures/folder.ts";
import { loadAllContent, loadContent } from "../../../src/backend/content/load.ts";
import { parseContent } from "../../../src/backend/content/parse.ts";
import { FLAG_FACTS } from "../../../src/direct-answers/flags.ts";
import { contentOf, english, texts } from "./written.ts";

const contentDirectory = new URL("../../../config/backend", import.meta.url).pathname;

describe("a content", () => {
  test("that states only what is required gets a default for everything else", () => {
    expect(english("contents: [{ id: 7, title: Hello there, answer: A }]").items).toStrictEqual([
      {
        id: 7,
        title: "Hello there",
        slug: "hello-there",
        alternatives: [],
        answers: ["A"],
        sideBubble: "",
        attributes: {},
        categories: [],
        order: 0,
        related: [],
        checkQuestion: null,
        options: [],
        form: null,
        actions: [],
        directCall: null,
        hidden: false,
        published: true,
        publishFrom: null,
        expires: null,
        modified: null,
        userTypes: [],
        environments: [],
      },
    ]);
  });

  test("may state everything", () => {
    const [item] = english(`
categories: [{ id: 3, name: Orders }]
contents:
  - id: 1
    title: T
    slug: my-own
    alternatives: [U, V]
    answer: [<p>one</p>, <p>two</p>]
    sideBubble: <b>S</b>
    attributes: { RATINGS: "no" }
    categories: [3]
    order: -5
    related: [2]
    checkQuestion: Do you mean T?
    options: [2, { content: 2, label: L, attributes: { short: s }, revisitable: true }]
    actions: [{ callback: escalationStart }, { callback: x, data: { a: "{{b}}" } }]
    directCall: call
    hidden: true
    published: false
    publishFrom: 2026-01-01
    expires: 2026-12-31T18:00+01:00
    modified: 2025-06-01 12:30:15.250Z
    userTypes: [0, 3]
    environments: [production]
  - { id: 2, title: The other, answer: A, directCall: other }
`).items;
    expect(item).toStrictEqual({
      id: 1,
      title: "T",
      slug: "my-own",
      alternatives: ["U", "V"],
      answers: ["<p>one</p>", "<p>two</p>"],
      sideBubble: "<b>S</b>",
      attributes: { RATINGS: "no" },
      categories: [3],
      order: -5,
      related: [2],
      checkQuestion: "Do you mean T?",
      options: [
        { content: 2, label: "The other", attributes: {}, revisitable: false },
        { content: 2, label: "L", attributes: { short: "s" }, revisitable: true },
      ],
      form: null,
      actions: [
        { callback: "escalationStart", data: {} },
        { callback: "x", data: { a: "{{b}}" } },
      ],
      directCall: "call",
      hidden: true,
      published: false,
      publishFrom: Date.UTC(2026, 0, 1),
      expires: Date.UTC(2026, 11, 31, 17),
      modified: Date.UTC(2025, 5, 1, 12, 30, 15, 250),
      userTypes: [0, 3],
      environments: ["production"],
    });
  });

  test("is ordered as written unless it states its order", () => {
    const { items } = english(
      "contents: [{ id: 5, title: A, answer: A }, { id: 4, title: B, answer: B, order: 9 }, { id: 3, title: C, answer: C }]",
    );
    expect(items.map(({ id, order }) => [id, order])).toStrictEqual([
      [5, 0],
      [4, 9],
      [3, 2],
    ]);
  });

  test("may be an option of an option of itself", () => {
    const { items } = english(
      "contents: [{ id: 1, title: A, answer: A, options: [2] }, { id: 2, title: B, answer: B, options: [1] }]",
    );
    expect(items.map(({ options }) => options[0]?.label)).toStrictEqual(["B", "A"]);
  });

  test("customized for the welcome may have the engine's name for it", () => {
    const { customized, items } = english(
      "customized: { welcome: 1 }\ncontents: [{ id: 1, title: A, answer: A, directCall: sys-welcome }]",
    );
    expect(customized).toStrictEqual({ welcome: 1 });
    expect(items[0]?.directCall).toBe("sys-welcome");
  });
});

describe("a language", () => {
  test("has its categories, customized answers and synonyms, from several files", () => {
    const content = parseContent({
      texts,
      contents: [
        {
          name: "a.yaml",
          text: "language: pt-BR\ncategories: [{ id: 1, name: Pedidos }, { id: 2, name: Trocas, parent: 1, slug: t, order: 7 }]\nsynonyms: [[pedido, compra]]\n",
        },
        {
          name: "b.yaml",
          text: "language: pt-br\ncontents: [{ id: 4, title: Olá, answer: A }]\ncustomized: { no-results: 4 }\nsynonyms: [[frete, entrega, envio]]\n",
        },
      ],
    });
    expect([...content.languages.keys()]).toStrictEqual(["pt-br"]);
    expect(content.languages.get("pt-br")).toMatchObject({
      items: [{ id: 4, slug: "ola" }],
      categories: [
        { id: 1, name: "Pedidos", slug: "pedidos", parent: null, order: 0 },
        { id: 2, name: "Trocas", slug: "t", parent: 1, order: 7 },
      ],
      customized: { "no-results": 4 },
      synonyms: [
        ["pedido", "compra"],
        ["frete", "entrega", "envio"],
      ],
    });
  });

  test("may be Norwegian without quotes around no, and iw is read as he", () => {
    expect([...contentOf("language: no\ncontents: []\n").languages.keys()]).toStrictEqual(["no"]);
    expect([...contentOf("language: iw\n").languages.keys()]).toStrictEqual(["he"]);
  });

  test("may be in a file with a byte order mark and the line ends of Windows", () => {
    const file = contentOf(
      "language: en\r\ncontents:\r\n  - id: 1\r\n    title: T\r\n    answer: A\r\n",
    );
    expect(file.languages.get("en")?.items[0]?.answers).toStrictEqual(["A"]);
  });

  test("needs no contents, and a file needs nothing", () => {
    expect(contentOf("").languages.size).toBe(0);
    expect(contentOf("# nothing yet\n").languages.size).toBe(0);
    expect(contentOf("language: fr\ncontents:\n").languages.get("fr")?.items).toStrictEqual([]);
  });
});

describe("a content directory", () => {
  function directory(files: Readonly<Record<string, string | Uint8Array>>): string {
    const path = createFolder();
    mkdirSync(join(path, "texts"));
    writeFileSync(join(path, "texts", "en.yaml"), texts[0]?.text ?? "");
    for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
    return path;
  }

  function found(path: string): readonly string[] {
    return loadAllContent(path).diagnostics.map(
      ({ file, line, column, message, code }) =>
        `${file.slice(path.length)}:${line}:${column}: ${message.replaceAll(path, "…")} [${code}]`,
    );
  }

  test("that cannot be read is named in the error", async () => {
    await expect(loadContent("/nowhere/at/all")).rejects.toMatchObject({
      code: "content-invalid",
      message: expect.stringContaining("/nowhere/at/all: error: there is no such folder"),
    });
  });

  test("is read in the order of its files' names, without the temporary files of editors", async () => {
    const path = directory({
      "b.yaml": "language: en\ncontents: [{ id: 1, title: T, answer: A }]",
      "a.yml": "language: en\ncontents: [{ id: 2, title: U, answer: A }]",
      ".#a.yaml": "nonsense",
      "a.yaml~": "nonsense",
      "notes.txt": "nonsense",
    });
    const { languages } = await loadContent(path);
    expect(languages.get("en")?.items.map(({ id }) => id)).toStrictEqual([2, 1]);
  });

  test("with files that are no readable text is refused, all of them at once", () => {
    const path = directory({
      "a.yaml": Uint8Array.from([...new TextEncoder().encode("a: "), 0xe9]),
      "b.yaml": Uint8Array.from([0xff, 0xfe, 0x61, 0]),
      "d.yaml": "x".repeat(5_000_000),
      "e.yaml": "\ufefflanguage: en\n",
    });
    mkdirSync(join(path, "c.yaml"));
    expect(found(path)).toStrictEqual([
      "/a.yaml:1:4: this byte is not UTF-8 (perhaps the file is Latin-1 or Windows-1252) [encoding]",
      "/b.yaml:1:1: the file is UTF-16 (little endian) [encoding]",
      "/c.yaml:1:1: this is a directory, not a file [unreadable]",
      "/d.yaml:1:1: this has 5000000 bytes; at most 4194304 are read [too-large]",
    ]);
  });

  test("needs English engine texts", () => {
    const path = directory({});
    rmSync(join(path, "texts", "en.yaml"));
    expect(found(path)).toEqual([expect.stringContaining("English texts are missing")]);
    rmSync(join(path, "texts"), { recursive: true });
    expect(found(path)).toEqual(["/texts:1:1: there is no such folder [unreadable]"]);
  });
});

describe("the shipped content", () => {
  test("has the English lines of the specification", async () => {
    const spoken = (await loadContent(contentDirectory)).texts.get("en");
    for (const { name, text } of FLAG_FACTS) expect(spoken?.[name]).toBe(text);
    expect(spoken?.["related-title"]).toBe("You might also be interested in:");
  });

  test("repeats no line of Afterword's own tables", async () => {
    const { texts: spoken } = await loadContent(contentDirectory);
    expect([...spoken.keys()]).toEqual(
      expect.arrayContaining(["en", "fr", "es", "de", "ja", "ar"]),
    );
    const tables = new URL("../../../locales/", import.meta.url);
    const files = await readdir(tables);
    for (const [locale, engine] of spoken) {
      const name = files.find((file) => file.toLowerCase() === `${locale}.yaml`);
      if (name === undefined) continue;
      const own = JSON.stringify(parse(await readFile(new URL(name, tables), "utf8")));
      for (const text of Object.values(engine)) expect(own).not.toContain(JSON.stringify(text));
    }
  });
});
