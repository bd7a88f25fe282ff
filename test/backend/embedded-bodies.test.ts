// Suite: slow
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rawConnect, rawRequest } from "../../src/testing/index.ts";
import { type EmbeddedGateway, embeddedGateway } from "./embedded-gateway.ts";

let gateway: EmbeddedGateway;
let port: number;
let token = "";
let userToken = "";
beforeAll(async () => {
  gateway = await embeddedGateway({ demo: true });
  port = Number(new URL(gateway.url).port);
  const post = async (path: string, headers: Record<string, string>, body: object) =>
    (
      await fetch(gateway.url + path, { method: "POST", headers, body: JSON.stringify(body) })
    ).json();
  const login = (await post(
    "/v1/auth",
    { "x-inbenta-key": "demo-key" },
    { secret: "demo-secret" },
  )) as {
    accessToken: string;
  };
  token = login.accessToken;
  const user = (await post("/v1/users", { "x-hyper-appId": "demo-app" }, { name: "Ana" })) as {
    token?: string;
    session?: { token: string };
  };
  userToken = user.token ?? user.session?.token ?? "";
});
afterAll(() => gateway.close());

const mine = (): string => `x-inbenta-key: demo-key\r\nAuthorization: Bearer ${token}\r\n`;
const chat = (): string => `x-hyper-appId: demo-app\r\nx-hyper-token: ${userToken}\r\n`;
const routes: [string, () => string, string][] = [
  ["/v1/auth", mine, "errors"],
  ["/v1/conversation/message", () => `${mine()}x-inbenta-session: Bearer none\r\n`, "errors"],
  ["/v1/conversation", mine, "errors"],
  ["/ticketing/v1/users", mine, "errors"],
  ["/ticketing/v1/media", mine, "errors"],
  ["/knowledge/v1/search", mine, "errors"],
  ["/v1/media", chat, "error"],
];

function head(path: string, fields: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: ${new URL(gateway.url).host}\r\nContent-Type: application/json\r\n${fields}\r\n`;
}

describe("with the embedded backend", () => {
  it.each(routes)(
    "a body in chunks above the limit is answered 413: %s",
    async (path, fields, key) => {
      const chunk = `100000\r\n${"x".repeat(0x10_0000)}\r\n`;
      const request = head(path, `${fields()}Transfer-Encoding: chunked\r\n`);
      const answer = await rawRequest(port, `${request}${chunk.repeat(11)}0\r\n\r\n`);
      expect([path, answer.status]).toEqual([path, 413]);
      expect(JSON.parse(answer.body.toString())).toHaveProperty(key);
      expect(gateway.events).not.toContain("internal-error");
    },
  );

  it.each(routes)(
    "a client that disconnects while it sends causes no internal error: %s",
    async (path, fields) => {
      const connection = await rawConnect(port);
      connection.send(head(path, `${fields()}Content-Length: 1000000\r\n`) + "x".repeat(500_000));
      await expect.poll(() => connection.socket.writableLength).toBe(0);
      connection.destroy();
      await expect.poll(gateway.metrics).toContain("afterword_in_flight 0");
      expect(gateway.events).not.toContain("internal-error");
    },
  );
});
