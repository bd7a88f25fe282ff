// Suite: long
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { workspace } from "../../config/workspace.ts";
import { runs } from "../../fixtures/runs.ts";
import { type Server, serveProcess } from "./processes.ts";

const CONFIG = `version: 1
data: DATA
state: { store: file }
upstream: { auth: "http://127.0.0.1:9" }
instances: [{ name: shop, match: {}, language: en, created: 2018-01-01 }]
`;
const TEXTS = "end-form: Bye\nform-continue: Go on\n";
const LOCALES = ["en", "fr", "de"];
const ADMIN_TOKENS = "ana:publish:token-of-ana-0123456789,bo:publish:token-of-bo-01234567890";
const ROUNDS = runs(6);

/** A person with a token, at one of the processes. */
function personAt({ url }: Server, token: string, key: string) {
  const call = async (method: string, path: string, json?: unknown) => {
    const response = await fetch(`${url}/_afterword/api/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    return { status: response.status, text: await response.text() };
  };
  return {
    key,
    async write(text: string) {
      for (const locale of LOCALES) {
        const put = await call("PUT", `draft/${locale}/${key}`, { instance: "shop", text });
        expect(put.status).toBe(200);
      }
    },
    publish: () => call("POST", "draft/publish", { warnings: true }),
    discard: () => call("DELETE", "draft"),
  };
}

async function startOn(folder: string, name: string, args: readonly string[]): Promise<Server> {
  await writeFile(join(folder, `${name}.yaml`), CONFIG.replace("DATA", `./.data-${name}`));
  return serveProcess(["serve", "--config", join(folder, `${name}.yaml`), "--port", "0", ...args], {
    env: { AFTERWORD_ADMIN_TOKENS: ADMIN_TOKENS },
  });
}

test.each([
  { name: "two workers of one process", processes: ["one"], args: ["--workers", "2"] },
  { name: "two processes with data of their own", processes: ["one", "other"], args: [] },
])("of two people who publish at once through $name, one is told of a conflict", async (row) => {
  const folder = await workspace(
    Object.fromEntries(LOCALES.map((locale) => [`messages/${locale}.yaml`, TEXTS])),
  );
  const servers = await Promise.all(row.processes.map((name) => startOn(folder, name, row.args)));
  const [first, last] = [servers[0], servers.at(-1)];
  if (first === undefined || last === undefined) throw new Error("nothing was started");
  const people = [
    personAt(first, "token-of-ana-0123456789", "end-form"),
    personAt(last, "token-of-bo-01234567890", "form-continue"),
  ];
  for (let round = 0; round < ROUNDS; round++) {
    for (const person of people) await person.write(`${person.key} of round ${round}`);
    const published = await Promise.all(people.map((person) => person.publish()));
    expect(published.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const winner = people[published.findIndex(({ status }) => status === 200)];
    for (const locale of LOCALES) {
      const text = await readFile(join(folder, `messages/${locale}.yaml`), "utf8");
      expect(text).toContain(`${winner?.key} of round ${round}`);
    }
    await Promise.all(people.map((person) => person.discard()));
  }
});
