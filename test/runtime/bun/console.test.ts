import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { workspace } from "../../config/workspace.ts";
import { startServer } from "../../conformance/processes.ts";

const root = join(import.meta.dirname, "../../..");
const SLOW = 120_000;

it(
  "is opened by the token that a start prints: page, preview, publication and restore",
  async () => {
    const directory = await workspace({
      "afterword.yaml": `version: 1
upstream: { auth: https://api.example.com }
instances: [{ name: shop, match: {}, language: en }]
`,
      "messages/fr.yaml": '# Ours.\nwelcome: "Salut"\n',
    });
    const server = await startServer(
      join(root, "node_modules/.bin/bun"),
      [join(root, "src/runtime/bun/serve.ts")],
      {
        cwd: directory,
        env: { AFTERWORD_CONFIG: "afterword.yaml", AFTERWORD_LOG: "silent", PORT: "0" },
        ready: /Console: \S+\n/,
      },
    );
    onTestFinished(() => server.stop());
    const [, page = "", token = ""] = /Console: (\S+)#(\S+)\n/.exec(server.printed()) ?? [];
    const api = async (path: string, method = "GET", json?: unknown): Promise<unknown> => {
      const response = await fetch(page.replace(/console$/, `api/${path}`), {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      });
      return response.json();
    };
    const html = await (await fetch(page)).text();
    const [, script = ""] = /src="([^"]+main\.js)"/.exec(html) ?? [];
    const main = await fetch(new URL(script, page));
    expect([main.status, await main.text()]).toEqual([
      200,
      expect.stringContaining("./views/app.js"),
    ]);

    expect(await api("session")).toMatchObject({
      label: "admin",
      version: expect.stringMatching(/\d/),
    });
    await api("draft/fr/welcome", "PUT", { text: "Bonjour" });
    const published = await api("draft/publish", "POST", { note: "politer" });
    expect(published).toMatchObject({ kind: "published", id: 1 });
    const file = join(directory, "messages/fr.yaml");
    expect(await readFile(file, "utf8")).toBe('# Ours.\nwelcome: "Bonjour"\n');
    expect(await api("texts/fr/welcome")).toMatchObject({ wordings: [{ text: "Bonjour" }] });
    expect(await api("history/1/restore", "POST", {})).toMatchObject({ kind: "published" });
    expect(await readFile(file, "utf8")).toBe('# Ours.\nwelcome: "Salut"\n');
  },
  SLOW,
);
