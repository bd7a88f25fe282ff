import { expect, test } from "vitest";
import { credentialsFrom, matchesSecret } from "../../../src/backend/auth/credentials.ts";

test("a secret that differs in any one byte of its digest does not match", async () => {
  const found = await credentialsFrom([{ apiKey: "k", secret: "s", project: "p" }]).find("k");
  if (found === null) throw new Error("not found");
  expect(await matchesSecret(found.secretDigest, "s")).toBe(true);
  for (const index of found.secretDigest.keys()) {
    const secretDigest = Uint8Array.from(found.secretDigest);
    secretDigest[index] = (secretDigest[index] ?? 0) ^ 1;
    expect(await matchesSecret(secretDigest, "s")).toBe(false);
  }
});

test("the first of two entries with one key counts", async () => {
  const credentials = credentialsFrom([
    { apiKey: "k", secret: "first", project: "one" },
    { apiKey: "k", secret: "second", project: "two" },
  ]);
  const found = await credentials.find("k");
  expect(found).toMatchObject({ project: "one", demo: false });
  expect(JSON.stringify(found)).not.toContain("first");
});
