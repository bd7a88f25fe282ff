import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classify, operationOf, routePath } from "../../../src/gateway/exchange/target.ts";
import { runs } from "../../fixtures/runs.ts";

const none: readonly string[] = [];

describe("classify", () => {
  it.each([
    ["POST", "/v1/auth", "auth"],
    ["POST", "/v1/auth/", "auth"],
    ["POST", "/v1/refreshToken", "refresh"],
    ["GET", "/v1/apis?x=1", "apis"],
    ["OPTIONS", "/v1/apis", "apis"],
  ])("sends %s %s to authentication as %s", (method, target, operation) => {
    expect(classify(method, target, none)).toEqual({
      kind: "auth",
      operation,
      rest: target,
      prefix: "",
    });
  });

  it.each([
    ["POST", "/v1/conversation/message", "chatbot", "message", "/v1/conversation/message"],
    ["POST", "/v1/conversation/message/", "chatbot", "message", "/v1/conversation/message/"],
    ["POST", "/v1/conversation/message?", "chatbot", "message", "/v1/conversation/message?"],
    ["GET", "/v1/conversation/message", "chatbot", "other", "/v1/conversation/message"],
    ["POST", "/conversation/message", "chatbot", "message", "/conversation/message"],
    ["POST", "/v1/conversation", "chatbot", "start", "/v1/conversation"],
    ["GET", "/v1/conversation/history", "chatbot", "history", "/v1/conversation/history"],
    [
      "POST",
      "/v1/conversation/variables/multiple",
      "chatbot",
      "variables",
      "/v1/conversation/variables/multiple",
    ],
    ["POST", "/chatbot/v1/conversation/message", "chatbot", "message", "/v1/conversation/message"],
    ["POST", "/chatbot", "chatbot", "other", ""],
    ["GET", "/chatbot?x", "chatbot", "other", "?x"],
    ["GET", "/v1/unknown/thing", "chatbot", "other", "/v1/unknown/thing"],
    ["POST", "/v1/Auth", "chatbot", "other", "/v1/Auth"],
    ["GET", "/ticketing/v1/tickets", "ticketing", "other", "/v1/tickets"],
    ["GET", "/knowledge/v1/search%2Fx", "knowledge", "other", "/v1/search%2Fx"],
    ["GET", "/chat/v1/agents", "chat", "other", "/v1/agents"],
  ])("%s %s is %s, %s, and forwards %s", (method, target, product, operation, rest) => {
    expect(classify(method, target, none)).toEqual({
      kind: "product",
      product,
      operation,
      rest,
      prefix: "",
    });
  });

  it.each([
    ["GET", "/v1/surveys", ["X-Hyper-AppId", "a"]],
    ["GET", "/v1/surveys?appId=a", none],
    ["GET", "/surveys/7?x=1&appId=a", none],
    ["POST", "/media/", ["x-hyper-secret", "s"]],
    ["OPTIONS", "/v1/chats", ["Access-Control-Request-Headers", "content-type, X-Hyper-AppId"]],
  ])("%s %s with chat credentials is chat", (method, target, headers) => {
    expect(classify(method, target, headers)).toMatchObject({
      kind: "product",
      product: "chat",
      rest: target,
    });
  });

  it("knows no unversioned chat route without chat credentials", () => {
    expect(classify("GET", "/surveys", none).kind).toBe("unknown");
  });

  it.each(["/chatbots/x", "/favicon.ico", "/v2/auth", "/v1", "/rx/abc"])(
    "does not know %s",
    (target) => {
      expect(classify("GET", target, none).kind).toBe("unknown");
    },
  );

  it("reads a signed segment without decoding anything", () => {
    expect(classify("POST", "/r/Ab-_9/v1/conversation/message?a=%20", none)).toEqual({
      kind: "signed",
      segment: "Ab-_9",
      rest: "/v1/conversation/message?a=%20",
      prefix: "",
    });
    expect(classify("POST", "/r//x", none).kind).toBe("unknown");
  });

  it("reduces absolute-form to origin-form", () => {
    expect(classify("POST", "http://other.example:99/v1/auth?x", none)).toMatchObject({
      kind: "auth",
      rest: "/v1/auth?x",
    });
    expect(classify("GET", "https://other.example", none)).toEqual({ kind: "home", rest: "/" });
    expect(classify("GET", "https://other.example?x=1", none)).toEqual({
      kind: "home",
      rest: "/?x=1",
    });
  });

  it("leads to the backend's pages at the root, at /desk and at /docs, and to nothing beside them", () => {
    for (const path of [
      "/desk",
      "/desk?app=shop",
      "/desk/0a1b/main.js",
      "/docs/",
      "/docs/openapi.json",
    ]) {
      expect(classify("GET", path, none)).toEqual({ kind: "home", rest: path });
    }
    expect(classify("GET", "/aw/desk/x", none, ["/aw"])).toEqual({ kind: "home", rest: "/desk/x" });
    expect(classify("GET", "/desktop", none).kind).toBe("unknown");
    expect(classify("GET", "/docs.json", none).kind).toBe("unknown");
    expect(classify("GET", "/desk/../v1", none).kind).toBe("refused");
  });

  it("takes off the longest prefix at a segment boundary", () => {
    const prefixes = ["/aw", "/aw/shop"];
    expect(classify("POST", "/aw/shop/v1/auth", none, prefixes)).toMatchObject({
      kind: "auth",
      rest: "/v1/auth",
      prefix: "/aw/shop",
    });
    expect(classify("POST", "/awful/v1/auth", none, prefixes).kind).toBe("unknown");
    expect(classify("GET", "/aw", none, prefixes).kind).toBe("home");
  });

  it.each([
    "/v1/../auth",
    "/v1/./auth",
    "/v1/..",
    "/r/seg/../../x",
    "/v1/%2e%2e/x",
    "/v1/%%32%65%%32%65/x",
    "/v1/%%32e%%32%45/x",
    "/v1/.%2E/x",
    "/v1/%2e/x",
    "/v1/..%2fx",
    "/v1/..%5cx",
    "/v1/x%2f..%2fy",
    "/v1/x\\..\\y",
    "/chatbot/..;/admin",
    "/chatbot/..;a=b/admin",
    "http://h/v1/../x",
    "/v1/..%3b/x",
    "/v1/..%00/x",
    "/v1/..%20/x",
    "/v1/..%09/x",
    "/v1/..%3f/x",
    "/v1/..%2523/x",
    "/v1/%u002e%u002E/x",
    "/v1/.%3Ba=b/x",
    "/v1/%252e%252e/x",
    "/v1/.%25252E/x",
    "/v1/..%252fx",
    "/v1/..%25%35%63x",
    "/v1/%25%32%65./x",
    "/v1/..%255cx",
    "/v1/%c0%ae%c0%ae/x",
    "/v1/%C0%AE./x",
    "/v1/%e0%80%ae%f0%80%80%ae/x",
    "/v1/..%c0%afx",
    "/v1/..%c1%9cx",
    "/v1/..%c0%bbx/y",
    "/v1/\u00c0\u00ae\u00c0%ae/x",
    "/r/seg/..%3b/x",
    "/ticketing/%252e%252e",
  ])("refuses the dot segment in %s", (target) => {
    expect(classify("GET", target, none)).toEqual({ kind: "refused", reason: "dot-segment" });
  });

  it.each(["/v1/a..b", "/v1/...", "/v1/.hidden", "/v1/x?../..", "/v1/x.y/z", "/v1/%2ehidden"])(
    "lets %s pass: no reader sees a dot segment there",
    (target) => {
      expect(classify("GET", target, none).kind).not.toBe("refused");
    },
  );

  it.each([
    "/v1/100%25",
    "/v1/a%252fb",
    "/v1/%c2%ae",
    "/v1/..%c2%ae",
    "/v1/a%3b..",
    "/v1/x?%252e%252e/",
  ])("lets %s pass, which is no dot segment however often it is decoded", (target) => {
    expect(classify("GET", target, none).kind).not.toBe("refused");
  });

  it("lets every name pass that a client encodes, but `.` and `..` and what would be one if decoded twice", () => {
    const name = fc
      .string({
        unit: fc.oneof(
          fc.constantFrom(".", ";", "~", "2", "5", "e", "a", "é", "®", "名"),
          fc.string({ unit: "grapheme" }),
        ),
      })
      .filter(
        (text) =>
          text.isWellFormed() && !/[%/\\]/.test(text) && !/^\.\.?(?:[;?#]|\0|\s*$)/.test(text),
      );
    fc.assert(
      fc.property(fc.array(name), (names) => {
        const target = `/v1/${names.map(encodeURIComponent).join("/")}`;
        expect(classify("GET", target, none).kind).not.toBe("refused");
      }),
      { numRuns: runs(2000) },
    );
  });

  it.each(["*", "host:443", "v1/auth", "/v1/a#b", "ftp://x/v1/auth", "/v1/a b", ""])(
    "calls %j malformed",
    (target) => {
      expect(classify("GET", target, none)).toEqual({ kind: "refused", reason: "malformed" });
    },
  );

  it("knows OPTIONS *", () => {
    expect(classify("OPTIONS", "*", none)).toEqual({ kind: "server-options" });
  });

  it("never throws, and forwards only what stood in the target", () => {
    fc.assert(
      fc.property(fc.constantFrom("GET", "POST", "OPTIONS"), fc.string(), (method, noise) => {
        const target = classify(method, `/${noise}`, none);
        if ("rest" in target && target.kind !== "home")
          expect(`/${noise}`.endsWith(target.rest)).toBe(true);
      }),
      { numRuns: runs(2000) },
    );
  });

  it("is not misled by names that every object has", () => {
    for (const name of [
      "/v1/constructor",
      "/conversation/__proto__",
      "/v1/conversation/toString",
    ]) {
      expect(classify("POST", name, none)).toMatchObject({
        product: "chatbot",
        operation: "other",
      });
    }
    expect(operationOf("POST", "__proto__")).toBe("other");
  });
});

describe("the path that our own routes are found by", () => {
  it.each([
    ["/_afterword/health", "/_afterword/health"],
    ["/_afterword/health/?a=/b", "/_afterword/health"],
    ["/shop/_afterword/health", "/_afterword/health"],
    ["/shopping/_afterword/health", "/shopping/_afterword/health"],
    ["http://else.test/shop/_afterword/%68ealth", "/_afterword/%68ealth"],
    ["http://else.test?a", "/"],
    ["/shop", "/"],
    ["/desk/a\\b#c", "/desk/a\\b"],
    ["*", "/"],
  ])("of %s is %s", (target, path) => {
    expect(routePath(target, ["/shop"])).toBe(path);
  });
});
