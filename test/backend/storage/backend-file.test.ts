// Suite: slow
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, test } from "vitest";
import { createFolder } from "../../fixtures/folder.ts";
import { login, open, resume, talk } from "../client.ts";

const directory = createFolder(afterAll);

let files = 0;
function newFile(): string {
  files += 1;
  return join(directory, `${files}.db`);
}

describe("a database file", () => {
  test("carries conversations over a restart, with keys that stay", async () => {
    const database = newFile();
    const before = await open({ database });
    const { headers, say } = await talk(before.app, { body: { lang: "fr" } });
    await say("");
    await say("Où est ma commande ?");
    await before.close();

    const after = await open({ database });
    const { say: sayOn, send, get } = resume(after.app, headers);
    expect((await send({ option: 3 })).body.answers[0].parameters.contents.title).toBe(
      "Frais de livraison",
    );
    expect((await sayOn("")).flags).toStrictEqual(["no-question"]);
    expect((await get("/v1/conversation/history")).body).toHaveLength(6);
    await after.close();
  });

  test("survives a process that did not close it", async () => {
    const database = newFile();
    const before = await open({ database });
    const { headers, say } = await talk(before.app);
    await say("zebra");
    const after = await open({ database });
    const { body } = await resume(after.app, headers).get("/v1/conversation/variables");
    expect(body.sys_unanswered_consecutive.value).toBe("1");
    await before.close();
    await after.close();
  });

  test("is readable by its owner alone, and holds no session token", async () => {
    const database = join(directory, "new", "deeper", "backend.db");
    const { app, close } = await open({ database });
    const { headers, say } = await talk(app);
    await say("zebra");
    for (const file of [database, `${database}-wal`])
      expect(statSync(file).mode & 0o777).toBe(0o600);
    await close();
    const token = (headers["x-inbenta-session"] ?? "").replace("Bearer ", "");
    expect(readFileSync(database).includes(token)).toBe(false);
    expect(readFileSync(database).includes("zebra")).toBe(true);
  });

  test("with a damaged row ends that session only", async () => {
    const database = newFile();
    const { app, close } = await open({ database });
    const [broken, whole] = [await talk(app), await talk(app)];
    await whole.say("zebra");
    const other = new DatabaseSync(database);
    other.exec(`UPDATE sessions SET document = '{"key":' WHERE document NOT LIKE '%"turns":1%'`);
    other.close();
    expect((await broken.send({ message: "zebra" })).status).toBe(400);
    expect((await whole.send({ message: "zebra" })).status).toBe(200);
    await close();
  });

  test("of another format or a newer version is refused by name", async () => {
    const text = newFile();
    writeFileSync(
      text,
      "this is no database, although it is long enough to be looked at".repeat(100),
    );
    for (const file of [text, directory]) {
      await expect(open({ database: file })).rejects.toMatchObject({
        code: "data-directory-unusable",
        message: expect.stringContaining(file),
      });
    }
  });

  test("holds no credentials: a token from elsewhere is refused", async () => {
    const database = newFile();
    const before = await open({ database });
    const { headers } = await talk(before.app);
    await before.close();
    const after = await open({ database, signingKeys: [new Uint8Array(32).fill(9)] });
    expect((await resume(after.app, headers).send({ message: "" })).status).toBe(401);
    const renewed = { ...headers, ...(await login(after.app)) };
    expect((await resume(after.app, renewed).send({ message: "" })).status).toBe(200);
    await after.close();
  });
});
