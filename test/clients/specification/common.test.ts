// Suite: slow
import { afterAll, describe, expect, test } from "vitest";
import { settingsOf } from "../../../src/backend/chatbot/sessions.ts";
import { DOCUMENTED } from "../../../src/backend/docs/products.ts";
import type { Operation } from "../../../src/api/call/operation.ts";
import { ask, login, open, talk } from "../../backend/client.ts";
import type { Json } from "../../backend/client.ts";

const tooMuch = `{"message":"${"x".repeat(10_485_760)}"}`;
const key = { "x-vendor-key": "demo-key" };

const { app, close } = await open();
const headers = await login(app);
const { authorization = "" } = headers;
afterAll(close);

/**
 * Operations of the authentication service and of every product that this backend names in `apis`.
 */
async function served(): Promise<readonly Operation[]> {
  const { body } = await ask(app, "GET", "/v1/apis", headers);
  const products = ["auth", ...Object.keys(body.apis)];
  return DOCUMENTED.filter((product) => products.includes(product.key))
    .flatMap(({ operations }) => operations)
    .filter(({ credentials }) => !credentials.startsWith("app"));
}

const operations = await served();
const withToken = operations.filter(({ credentials }) => credentials !== "key");
const pathOf = ({ path }: Operation): string => path.replaceAll(/\{\w+\}/g, "1");

describe("discovery", () => {
  test("is a GET of /v1/apis with the token and the key, and answers an address per product", async () => {
    const { status, body } = await ask(app, "GET", "/v1/apis", { authorization, ...key });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(["apis"]);
    expect(Object.keys(body.apis)).toEqual(
      expect.arrayContaining(["chatbot", "knowledge", "ticketing"]),
    );
    for (const address of Object.values<string>(body.apis)) {
      expect(new URL(address).href).toBe(address);
      expect(address).not.toMatch(/\/v\d|\/$/);
    }
  });

  test("is refused without the token, and without the key", async () => {
    expect((await ask(app, "GET", "/v1/apis", { authorization })).status).toBe(401);
    expect((await ask(app, "GET", "/v1/apis", key)).status).toBe(401);
  });

  test("names addresses behind which /v1 and a product's path answer", async () => {
    const { apis } = (await ask(app, "GET", "/v1/apis", headers)).body;
    const users = `${apis.ticketing}/v1/users`;
    const made = await ask(app, "POST", users, headers, { name: "A", address: "a@example.test" });
    expect(made.status).toBe(200);
    const started = await ask(app, "POST", `${apis.chatbot}/v1/conversation`, headers);
    expect(started.status).toBe(200);
  });

  test("apis names a product exactly when its paths answer", async () => {
    const { body } = await ask(app, "GET", "/v1/apis", headers);
    const products = DOCUMENTED.filter(({ key }) => key !== "auth" && key !== "chat");
    for (const { key: product, operations } of products) {
      const [first] = operations.filter(({ method }) => method === "GET");
      const path = first === undefined ? "" : pathOf(first);
      const there = (await app.request(path)).status !== 404;
      expect([product, there]).toEqual([product, Object.hasOwn(body.apis, product)]);
    }
  });

  test("answers a new token with the address that holds by then", async () => {
    let host = "http://one.test";
    const { app } = await open({ bases: (product) => `${host}/${product}` });
    expect((await ask(app, "GET", "/v1/apis", await login(app))).body.apis.ticketing).toBe(
      "http://one.test/ticketing",
    );
    host = "http://two.test";
    const { body } = await ask(app, "GET", "/v1/apis", await login(app));
    expect(body.apis.ticketing).toBe("http://two.test/ticketing");
  });
});

describe("credentials", () => {
  test.each(withToken)(
    "$method $path is refused without a token, or without a key",
    async (one) => {
      const body = one.method === "GET" ? undefined : {};
      for (const headers of [key, { authorization }, {}]) {
        const refused = await ask(app, one.method, pathOf(one), headers, body);
        expect([refused.status, refused.body.errors[0].code]).toEqual([401, 401]);
      }
    },
  );

  test("a domain key is one of the three credentials, and not from everywhere", async () => {
    const shop = {
      apiKey: "k",
      secret: "s",
      project: "shop",
      domainKeys: [{ key: "for-browsers", domains: ["shop.example"] }],
    };
    const { app } = await open({ credentials: [shop] });
    const statusOf = async (secret: string, headers: Record<string, string>): Promise<number> =>
      (await ask(app, "POST", "/v1/auth", { "x-vendor-key": "k", ...headers }, { secret })).status;
    expect([
      await statusOf("s", {}),
      await statusOf("for-browsers", { origin: "https://shop.example" }),
      await statusOf("for-browsers", { origin: "https://other.example" }),
      await statusOf("for-browsers", {}),
      await statusOf("s", { origin: "https://shop.example" }),
    ]).toEqual([200, 200, 401, 401, 403]);
  });
});

describe("bodies", () => {
  test.each(operations.filter(({ answer }) => answer !== null))(
    "$method $path answers JSON, refusals too",
    async (one) => {
      for (const caller of [{}, headers]) {
        const response = await app.request(pathOf(one), {
          method: one.method,
          headers: { ...caller, "content-type": "application/json" },
          ...(one.method !== "GET" && { body: "{}" }),
        });
        // 302 and 301 are answers without a body to read.
        if (response.status >= 300 && response.status < 400) continue;
        expect(response.headers.get("content-type")).toMatch(/^application\/json/);
        expect(await response.json()).toEqual(expect.any(Object));
      }
    },
  );

  test.each(operations.filter(({ method }) => method !== "GET"))(
    "$method $path refuses more than 10 MB",
    async (one) => {
      const typed = { ...headers, "content-length": String(tooMuch.length) };
      const refused = await ask(app, one.method, pathOf(one), typed, tooMuch);
      expect([refused.status, refused.body.errors[0].code]).toEqual([413, 413]);
    },
  );

  test("none at all, {} and [] are the same empty body", async () => {
    for (const path of ["/v1/refreshToken", "/v1/conversation"]) {
      for (const body of [undefined, "", "{}", "[]", "null"]) {
        expect([path, body, (await ask(app, "POST", path, headers, body)).status]).toEqual([
          path,
          body,
          200,
        ]);
      }
    }
  });
});

describe("versions", () => {
  const others = ["/v2", "/V1", "/v1.0", "/v01", "/v", ""];

  test.each(withToken.filter(({ path }) => !path.startsWith("/chatbot")))(
    "$method $path is there under v1 alone",
    async (one) => {
      for (const version of others) {
        const path = pathOf(one).replace("/v1", version);
        const body = one.method === "GET" ? undefined : {};
        const answer = await ask(app, one.method, path, headers, body);
        const error = { code: 404, message: expect.any(String) };
        const errors = [error];
        const inAllForms = { error, errors, message: error.message };
        const isAuth = one.path.startsWith("/v1/");
        expect([path, answer]).toEqual([
          path,
          { status: 404, body: isAuth ? { errors } : inAllForms },
        ]);
      }
    },
  );

  test("the chatbot is there under v1 and, as the specification writes it, without a version", async () => {
    const conversation = await talk(app);
    const statuses: Record<string, number> = {};
    for (const version of ["/v1", ...others]) {
      const path = `/chatbot${version}/conversation/message`;
      const { status } = await ask(app, "POST", path, conversation.headers, { message: "" });
      statuses[version] = status;
    }
    expect(statuses).toEqual({
      "/v1": 200,
      "": 200,
      "/v2": 404,
      "/V1": 404,
      "/v1.0": 404,
      "/v01": 404,
      "/v": 404,
    });
  });
});

describe("spellings", () => {
  test.each(withToken.filter(({ method }) => method === "GET"))(
    "$path is the same with a slash or a bare question mark at its end",
    async (one) => {
      const shapeOf = async (path: string): Promise<unknown> => {
        const { status, body } = await ask(app, "GET", path, headers);
        return [status, Object.keys(body), body.message, body.results?.length];
      };
      const plain = await shapeOf(pathOf(one));
      for (const end of ["/", "?", "/?"])
        expect(await shapeOf(`${pathOf(one)}${end}`)).toEqual(plain);
    },
  );

  test.each([
    ["x-vendor-key", "x-vendor-key"],
    ["X-INBENTA-KEY", "x-inbenta-key"],
  ])("the key under %s opens every product", async (_name, name) => {
    const named = { authorization, [name]: "demo-key" };
    for (const path of ["/v1/apis", "/ticketing/v1/tickets", "/chatbot/v1/app/data/shop"]) {
      expect([path, (await ask(app, "GET", path, named)).status]).toEqual([path, 200]);
    }
  });

  test.each([
    ["an integer", 2, "a"],
    ["text", "2", null],
    ["text", "2", ""],
    ["an integer, without a comment", 2, undefined],
  ])("a rating is taken as %s: %j with the comment %j", async (_name, value, comment) => {
    const { say, post } = await talk(app);
    const { rateCode } = (await say("order status")).parameters.contents.trackingCode;
    const data = { code: rateCode, value, comment };
    expect(await post("/v1/tracking/events", { type: "rate", data })).toEqual({
      status: 200,
      body: { success: true },
    });
  });

  test.each([
    ["production", "production"],
    ["preproduction", "preproduction"],
    ["development", "development"],
    ["DEVELOPMENT", "development"],
    ["0", "production"],
    ["", "production"],
    ["anything", "production"],
  ])("the environment %j is %s", (sent, meant) => {
    expect(settingsOf({}, new Headers({ "x-inbenta-env": sent })).environment).toBe(meant);
    expect(settingsOf({}, new Headers()).environment).toBe("production");
  });

  test("history says bot and user, whatever language the conversation is in", async () => {
    const { say, get } = await talk(app, { body: { lang: "fr" } });
    await say("xyzzy");
    const { body } = await get("/v1/conversation/history");
    expect(body.map(({ user }: Json) => user)).toEqual(["user", "bot"]);
  });
});
