import { expect, it, onTestFinished } from "vitest";
import { createFolder } from "../../fixtures/folder.ts";
import { textOf } from "../../clients/conformance/exchange.ts";
import { engine, flagged, message, question } from "../../clients/conformance/scenario.ts";
import { createSocketClient } from "../../clients/conformance/socket-client.ts";
import { startUpstream } from "../../clients/conformance/upstream.ts";
import { startWranglerDev } from "../../clients/conformance/wrangler.ts";
import { writeConfiguration } from "../../clients/conformance/write-configuration.ts";

const ADMIN = "token-of-the-operator";
const ANA = "token-of-ana-123456789";
const LEA = "token-of-lea-123456789";
const FRENCH = "token-of-flo-123456789";

it("serves the console for reading, as static files and an API behind tokens", async () => {
  const { origin, api } = await bed((toml) => toml.replaceAll(KV, ""));

  const page = await fetch(`${origin}/_afterword/console`);
  expect(page.headers.get("content-security-policy")).toContain("require-trusted-types-for");
  const [, main = ""] = /src="([^"]+main\.js)"/.exec(await page.text()) ?? [];
  const script = await fetch(new URL(main, page.url));
  expect(script.headers.get("content-type")).toContain("javascript");
  expect(await script.text()).toContain("./views/app/app.js");
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
  const refused = await api("draft/publish", ADMIN, {});
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([
    409,
    expect.stringContaining("bind a KV namespace as AFTERWORD_TEXTS"),
  ]);
  expect((await api("doctor", ANA, {})).status).toBe(403);
});

it("changes what readers are told in French through KV, for everybody at once, and takes it back", async () => {
  const { api, welcomeIn } = await bed();
  expect((await api("session", ADMIN)).body).toMatchObject({ editable: true, everyText: false });
  const before = await welcomeIn("fr");
  const italian = await welcomeIn("it");
  const mexican = await welcomeIn("es-419");
  const edit = (text: string | null, token = LEA) =>
    api("draft/fr/welcome", token, { text }, "PUT");

  const broken = await edit("Salut {{nom}} <b>!");
  expect(broken.body).toMatchObject({
    findings: [{ code: "unknown-placeholder" }, { code: "markup" }, { code: "placeholder-alone" }],
  });
  expect((await api("draft/publish", LEA, {})).status).toBe(422);
  expect((await api("draft/de/welcome", FRENCH, { text: "Moin" }, "PUT")).status).toBe(403);
  expect((await api("draft/fr/welcome", ANA, { text: "Salut" }, "PUT")).status).toBe(403);
  expect((await edit("Salut !")).body).toMatchObject({
    changes: [{ key: "welcome", locale: "fr", text: "Salut !", file: expect.stringMatching(/fr/) }],
    findings: [],
  });
  // A draft belongs to its label alone, and no reader gets it.
  expect((await api("draft", ADMIN)).body).toMatchObject({ changes: [] });
  expect(await welcomeIn("fr")).toBe(before);

  const published = await api("draft/publish", LEA, { note: "Shorter" });
  expect(published).toMatchObject({ status: 200, body: { kind: "published", id: 1 } });
  expect(await welcomeIn("fr")).toBe("Salut !");
  expect(await welcomeIn("de")).not.toBe("Salut !");
  expect((await api("draft", LEA)).body).toMatchObject({ changes: [] });
  // The deployed text hides Afterword's, which was not deployed.
  expect((await edit(null)).status).toBe(422);
  expect((await api("texts/fr/welcome", ANA)).body).toMatchObject({
    state: "own",
    places: [{ id: "welcome", text: "Salut !" }],
  });

  // A person who looked before that is informed, and overwrites nothing.
  expect((await edit("Bonsoir !", ADMIN)).status).toBe(200);
  expect((await edit("Coucou !")).status).toBe(200);
  expect((await api("draft/publish", LEA, {})).status).toBe(200);
  const stale = await api("draft/publish", ADMIN, {});
  expect(stale.status).toBe(409);
  const [conflict] = (stale.body as { conflicts: { file: string; theirs: string }[] }).conflicts;
  expect(conflict?.theirs).toContain('welcome: "Coucou !"');
  expect(await welcomeIn("fr")).toBe("Coucou !");
  const files = { [conflict?.file ?? ""]: "0".repeat(64) };
  await api("draft/rebase", ADMIN, {});
  expect((await api("draft/publish", ADMIN, { files })).status).toBe(409);
  expect((await api("draft/publish", ADMIN, {})).status).toBe(200);
  expect(await welcomeIn("fr")).toBe("Bonsoir !");

  const { history } = (await api("history", ANA)).body as {
    history: { id: number; label: string; note: string; files: { diff: string }[] }[];
  };
  expect(history.map(({ id, label }) => [id, label])).toEqual([
    [3, "admin"],
    [2, "lea"],
    [1, "lea"],
  ]);
  expect(history[1]?.files[0]?.diff).toContain('-welcome: "Salut !"\n+welcome: "Coucou !"');
  // Changes that others made since are not overwritten by restoring an old version.
  expect((await api("history/1/restore", LEA, {})).status).toBe(409);
  for (const id of [3, 2, 1]) {
    expect((await api(`history/${id}/restore`, LEA, {})).status).toBe(200);
  }
  expect(await welcomeIn("fr")).toBe(before);

  // The owner's text replaces Afterword's, also for the regions, and is removed again.
  await api("draft/it/welcome", LEA, { text: "Ciao!" }, "PUT");
  await api("draft/es/welcome", LEA, { text: "¡Buenas!" }, "PUT");
  expect((await api("draft/publish", LEA, {})).status).toBe(200);
  expect([await welcomeIn("it"), await welcomeIn("es-419")]).toEqual(["Ciao!", "¡Buenas!"]);
  await api("draft/it/welcome", LEA, { text: null }, "PUT");
  await api("draft/es/welcome", LEA, { text: null }, "PUT");
  expect((await api("draft/publish", LEA, {})).status).toBe(200);
  expect([await welcomeIn("it"), await welcomeIn("es-419")]).toEqual([italian, mexican]);
  const { audit } = (await api("audit", ADMIN)).body as { audit: { action: string }[] };
  const actions = audit.map(({ action }) => action);
  expect(actions).toEqual(expect.arrayContaining(["draft-put", "publish", "restore"]));
});

const KV = '[[kv_namespaces]]\nbinding = "AFTERWORD_TEXTS"\n';

/** A worker in workerd, with an engine that welcomes every reader. */
async function bed(change?: (toml: string) => string) {
  const upstream = await startUpstream();
  await upstream.script({ [message]: engine(flagged("welcome")) });
  const directory = createFolder();
  const configuration = await writeConfiguration(directory, upstream.port);
  const vars = {
    AFTERWORD_ADMIN_TOKEN: ADMIN,
    AFTERWORD_ADMIN_TOKENS: `ana:view:${ANA},lea:publish:${LEA},flo:edit:fr:${FRENCH}`,
  };
  const { port, stop } = await startWranglerDev(directory, configuration, vars, change);
  onTestFinished(async () => {
    await Promise.all([stop(), upstream.close()]);
  });
  const origin = `http://127.0.0.1:${port}`;
  const client = createSocketClient(port);
  return {
    origin,
    async api(path: string, token: string, json?: unknown, method = "POST") {
      const response = await fetch(`${origin}/_afterword/api/${path}`, {
        method: json === undefined ? "GET" : method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      });
      return { status: response.status, body: await response.json() };
    },
    /** The welcome for a reader of a language. */
    async welcomeIn(locale: string): Promise<string> {
      const headers = ["x-afterword-locale", locale];
      const { answers } = JSON.parse(textOf(await client.ask(question({ headers }))));
      return answers[0].message;
    },
  };
}
