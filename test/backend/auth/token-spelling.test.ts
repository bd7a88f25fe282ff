import { expect, onTestFinished, test } from "vitest";
import { ask, login, open } from "../client.ts";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

test("a token is accepted only in the spelling in which it was issued", async () => {
  const backend = await open();
  onTestFinished(() => backend.close());
  const headers = await login(backend.app);
  const { authorization = "" } = headers;
  const status = async (token: string): Promise<number> =>
    (await ask(backend.app, "GET", "/v1/apis", { ...headers, authorization: token })).status;
  const last = letters.indexOf(authorization.at(-1) ?? "");
  // Two bits of the last letter of 256 bits have no meaning.
  const strays = [1, 2, 3].map((bits) => authorization.slice(0, -1) + letters.charAt(last | bits));
  const padded = [`${authorization}=`, authorization.replace(/\.([^.]+)$/, "=.$1")];
  for (const spelling of [...strays, ...padded]) {
    expect([spelling === authorization, await status(spelling)]).toEqual([false, 401]);
  }
  expect(await status(authorization)).toBe(200);
});
