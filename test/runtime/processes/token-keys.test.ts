// Suite: long
import { join } from "node:path";
import { expect, test } from "vitest";
import { root, serveProcess, workspace } from "./processes.ts";

test("`afterword backend` signs with the first of its keys, and takes tokens of all", async () => {
  const place = await workspace();
  const started = (keys: string) =>
    serveProcess(
      [
        ...["backend", "--content", join(root, "config", "backend"), "--port", "0"],
        ...["--database", join(place.path, "backend.db")],
      ],
      { env: { AFTERWORD_TOKEN_KEYS: keys } },
    );
  const key = { "x-inbenta-key": "demo-key" };
  const before = await started("o".repeat(32));
  const body = JSON.stringify({ secret: "demo-secret" });
  const login = await fetch(`${before.url}/v1/auth`, { method: "POST", headers: key, body });
  const { accessToken } = (await login.json()) as { readonly accessToken: string };
  await before.stop();
  const after = await started(`${"n".repeat(32)}, ${"o".repeat(32)}`);
  const headers = { ...key, authorization: `Bearer ${accessToken}` };
  expect((await fetch(`${after.url}/v1/apis`, { headers })).status).toBe(200);
});
