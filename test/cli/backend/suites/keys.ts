import { describe, expect, test } from "vitest";
import { matchesSecret } from "../../../../src/backend/auth/credentials.ts";
import { createStoredCredentials } from "../../../../src/backend/auth/stored-keys.ts";
import { afterword } from "../../terminal.ts";
import { inDatabase, shown } from "../place.ts";

/** The key commands over one kind of database. */
export function keyCommands(kind: string, newDatabase: () => Promise<string>): void {
  describe(`keys in ${kind}`, () => {
    test("what add shows opens the backend, until it is revoked", async () => {
      const database = await newDatabase();
      const added = await afterword([
        ...["backend", "key", "add", "web", "--project", "shop", "--factor", "5"],
        ...["--domain", ".Shop.example", "--domain", "https://app.example:8443/"],
        ...["--personal", "anna", "--personal", "bert", "--database", database],
      ]);
      expect(added.code).toBe(0);
      expect(added.error).toMatch(/shown only once/);
      const find = () =>
        inDatabase(database, (handle) =>
          createStoredCredentials(handle, Date.now).find(shown("API key", added.out)),
        );
      const found = await find();
      expect(found).toMatchObject({
        project: "shop",
        factor: 5,
        demo: false,
        domainKeys: [{ domains: [".shop.example", "https://app.example:8443"] }],
        personalSecrets: [{ name: "anna" }, { name: "bert" }],
      });
      expect(await matchesSecret(found!.secretDigest, shown("secret", added.out))).toBe(true);
      const domainKey = shown("domain key", added.out);
      expect(await matchesSecret(found!.domainKeys[0]!.digest, domainKey)).toBe(true);
      const [anna = ""] = added.out.match(/(?<=anna\n {2}secret +)\S+/) ?? [];
      expect(await matchesSecret(found!.personalSecrets[0]!.digest, anna)).toBe(true);

      const revoked = await afterword(["backend", "key", "revoke", "web", "--database", database]);
      expect(revoked).toStrictEqual({ code: 0, out: "revoked web\n", error: "" });
      expect(await find()).toBeNull();
      const again = await afterword(["backend", "key", "revoke", "web", "--database", database]);
      expect(again).toMatchObject({ code: 1, out: "", error: expect.stringMatching(/^[^\n]+\n$/) });
    });

    test("a list tells names and dates, and no secret", async () => {
      const database = await newDatabase();
      const secrets: string[] = [];
      for (const name of ["first", "second"]) {
        const args = ["backend", "key", "add", name, "--format", "json", "--database", database];
        const { out } = await afterword([...args, "--domain", "a.example"]);
        const { apiKey, secret, domainKeys } = JSON.parse(out);
        secrets.push(apiKey, secret, domainKeys[0].key);
      }
      expect(new Set(secrets).size).toBe(6);
      await afterword(["backend", "key", "revoke", "second", "--database", database]);
      const list = ["backend", "key", "list", "--database", database];
      const text = await afterword(list);
      const json = await afterword([...list, "--format", "json"]);
      const today = new Date().toISOString().slice(0, 10);
      expect(text.out).toMatch(new RegExp(`^first +main +1 +a\\.example +${today} +-$`, "m"));
      expect(text.out).toMatch(new RegExp(`^second .*${today} +${today}$`, "m"));
      expect(JSON.parse(json.out)).toMatchObject([
        { name: "first", revoked: null },
        { name: "second", revoked: expect.stringContaining(today) },
      ]);
      for (const secret of secrets) expect(text.out + json.out).not.toContain(secret);
    });

    test("a name is unique", async () => {
      const database = await newDatabase();
      const add = ["backend", "key", "add", "web", "--database", database];
      await afterword(add);
      expect(await afterword(add)).toStrictEqual({
        code: 2,
        out: "",
        error:
          'afterword backend key add: there is a key called "web" already (afterword backend key add --help)\n',
      });
    });
  });
}
