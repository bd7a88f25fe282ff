import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startUpstream } from "../conformance/upstream.ts";
import { startWranglerDev } from "../conformance/wrangler.ts";
import { writeConfiguration } from "../conformance/write-configuration.ts";

const ADMIN = "token-of-the-operator";
const ANA = "token-of-ana-123456789";

it("serves the console for reading, as static files and an API behind tokens", async () => {
  const upstream = await startUpstream();
  const directory = await mkdtemp(join(tmpdir(), "afterword-console-"));
  const configuration = await writeConfiguration(directory, upstream.port);
  const { port, stop } = await startWranglerDev(directory, configuration, {
    AFTERWORD_ADMIN_TOKEN: ADMIN,
    AFTERWORD_ADMIN_TOKENS: `ana:view:${ANA}`,
  });
  onTestFinished(async () => {
    await Promise.all([stop(), upstream.close()]);
    await rm(directory, { recursive: true });
  });
  const origin = `http://127.0.0.1:${port}`;
  const api = async (path: string, token: string, json?: unknown) => {
    const response = await fetch(`${origin}/_afterword/api/${path}`, {
      method: json === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    return { status: response.status, body: await response.json() };
  };

  const page = await fetch(`${origin}/_afterword/console`);
  expect(page.headers.get("content-security-policy")).toContain("require-trusted-types-for");
  const [, main = ""] = /src="([^"]+main\.js)"/.exec(await page.text()) ?? [];
  const script = await fetch(new URL(main, page.url));
  expect(script.headers.get("content-type")).toContain("javascript");
  expect(await script.text()).toContain("./views/app.js");
  const reference = await fetch(`${origin}/docs`);
  expect([reference.status, await reference.text()]).toEqual([
    200,
    expect.stringContaining("curl"),
  ]);

  expect((await api("session", "")).status).toBe(401);
  const session = await api("session", ADMIN);
  expect(session.body).toMatchObject({ role: "admin", editable: false, embedded: false });
  expect((await api("texts", ANA)).body).toMatchObject({ cells: { welcome: { fr: {} } } });
  expect((await api("texts/fr/welcome", ANA)).body).toMatchObject({ key: "welcome", places: [] });
  const answer = '{"answers":[{"message":"Hi","flags":["welcome"]}]}';
  const explained = await api("explain", ANA, { body: answer, locale: "fr" });
  expect(explained.body).toMatchObject({ changed: true, locale: "fr" });
  expect((await api("draft/publish", ADMIN, {})).status).toBe(409);
  expect((await api("doctor", ANA, {})).status).toBe(403);
});
