// Suite: slow
import { expect, test } from "vitest";
import { embeddedGateway, embeddedKeys } from "../embedded-gateway.ts";

const { apiKey, secret } = embeddedKeys;
const key = { "x-inbenta-key": apiKey };
const old = "o".repeat(32);
const fresh = "n".repeat(32);

type Options = Parameters<typeof embeddedGateway>[0];

/** Starts a gateway, logs in or calls it with a token, and ends it. */
async function during<T>(options: Options, work: (url: string) => Promise<T>): Promise<T> {
  const gateway = await embeddedGateway(options);
  try {
    return await work(gateway.url);
  } finally {
    await gateway.close();
  }
}

async function login(url: string): Promise<string> {
  const body = JSON.stringify({ secret });
  const answer = await fetch(`${url}/v1/auth`, { method: "POST", headers: key, body });
  return ((await answer.json()) as { readonly accessToken: string }).accessToken;
}

async function statusWith(url: string, token: string): Promise<number> {
  const headers = { ...key, authorization: `Bearer ${token}` };
  return (await fetch(`${url}/v1/apis`, { headers })).status;
}

test.each([
  ["the file, one per line", { tokenKeys: `${fresh}\n${old}\n` }, { tokenKeys: `${fresh}\n` }],
  [
    "AFTERWORD_TOKEN_KEYS, separated by commas",
    { env: { AFTERWORD_TOKEN_KEYS: `${fresh},${old}` } },
    { env: { AFTERWORD_TOKEN_KEYS: fresh } },
  ],
])(
  "a token signed with the previous key is valid while %s has both keys",
  async (_, both, after) => {
    const before = await during({ tokenKeys: `${old}\n` }, login);
    const later = await during(both, async (url) => {
      expect(await statusWith(url, before)).toBe(200);
      return login(url);
    });
    await during(after, async (url) => {
      expect(await statusWith(url, later)).toBe(200);
      expect(await statusWith(url, before)).toBe(401);
    });
  },
);
