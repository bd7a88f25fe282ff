import { readFile, writeFile } from "node:fs/promises";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFolder } from "../../fixtures/folder.ts";
import { call } from "./receiver.ts";

const secret = "a-secret-of-the-shop";
const folder = createFolder(afterAll);
let server: Server;
let url: string;

beforeAll(async () => {
  const docs = await readFile(join(import.meta.dirname, "../../../docs/forms.md"), "utf8");
  const code = /^```js\n(.*?)^```$/ms.exec(docs)?.[1] ?? "";
  const file = join(folder, "receiver.mjs");
  await writeFile(file, code);
  process.env["CONTACT_SECRET"] = secret;
  process.env["PORT"] = "0";
  ({ server } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { server: Server });
  if (!server.listening) await new Promise((resolve) => server.once("listening", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/contact`;
});

afterAll(async () => {
  delete process.env["CONTACT_SECRET"];
  delete process.env["PORT"];
  server.close();
});

describe("the receiver in docs/forms.md", () => {
  const now = Date.now;

  it("accepts a signed and valid submission", async () => {
    const submission = { values: { email: "anna@example.com" } };
    expect(await call(url, { webhook: { secret }, submission, now })).toEqual({
      kind: "accepted",
      message: null,
      variables: { ticket: "T-5" },
      actions: [],
    });
  });

  it("names the field that is invalid", async () => {
    const submission = { values: { email: "anna@example.net" } };
    expect(await call(url, { webhook: { secret }, submission, now })).toMatchObject({
      kind: "invalid-fields",
      fields: ["email"],
    });
  });

  it.each([
    ["unsigned", { webhook: { secret: null }, now }],
    ["signed with another secret", { webhook: { secret: `${secret}!` }, now }],
    ["old", { webhook: { secret }, now: () => Date.now() - 301_000 }],
  ])("refuses what is %s", async (_, options) => {
    expect(await call(url, options)).toMatchObject({ kind: "failed", reason: "status" });
  });
});
