import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { testCertificates } from "../../runtime/node/certificates.ts";
import { answering, call, resolving } from "./receiver.ts";

const fine = { ok: true };

describe("a submission over HTTP", () => {
  it("is one POST of JSON with the form, the values, and the session's id", async () => {
    const to = await answering(fine);
    await call(`${to.url}?shop=1`);
    expect(to.received).toHaveLength(1);
    const [{ method, url, headers, body }] = to.received as [(typeof to.received)[number]];
    expect([method, url]).toEqual(["POST", "/hook?shop=1"]);
    expect(JSON.parse(body)).toEqual({
      form: "contact",
      content: 7,
      session: "session-1",
      language: "de",
      values: { email: "anna@müller.example" },
      attempt: 1,
    });
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      "user-agent": "Afterword",
      "accept-encoding": "identity",
      "x-afterword-timestamp": String(Date.UTC(2026, 10, 21, 12) / 1000),
    });
    expect(headers["x-afterword-signature"]).toBeUndefined();
  });

  it("is signed over its timestamp and its bytes when the form has a secret", async () => {
    const to = await answering(fine);
    await call(to.url, { webhook: { secret: "0123456789abcdef" } });
    const { headers, body } = to.received[0]!;
    const signed = `${String(headers["x-afterword-timestamp"])}.${body}`;
    const digest = createHmac("sha256", "0123456789abcdef").update(signed).digest("hex");
    expect(headers["x-afterword-signature"]).toBe(`v1=${digest}`);
  });

  it("carries the bot master's headers, and none of them replaces the engine's", async () => {
    const to = await answering(fine);
    const headers = { authorization: "Bearer x", "x-afterword-timestamp": "1" };
    await call(to.url, { webhook: { headers } });
    expect(to.received[0]!.headers).toMatchObject({ authorization: "Bearer x" });
    expect(to.received[0]!.headers["x-afterword-timestamp"]).not.toBe("1");
  });

  it("has the same idempotency key at every attempt, and another for any other submission", async () => {
    const to = await answering(fine);
    await call(to.url);
    await call(to.url, { now: () => Date.UTC(2027, 0, 1) });
    await call(to.url, { submission: { attempt: 2 } });
    await call(to.url, { submission: { begun: 1_800_000_000_001 } });
    await call(to.url, { submission: { values: { email: "b@c.example" } } });
    const keys = to.received.map(({ headers }) => headers["idempotency-key"]);
    expect(keys[0]).toMatch(/^[0-9a-f]{40}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(new Set(keys).size).toBe(4);
  });

  it("goes over TLS to a name whose certificate is good", async () => {
    const to = await answering(fine, { secure: true });
    const { ca } = testCertificates();
    const url = `https://upstream.example:${to.port}/hook`;
    const transport = { ca, lookup: resolving("127.0.0.1") };
    expect(await call(url, { allow: ["upstream.example"], transport })).toMatchObject({
      kind: "accepted",
    });
    const other = { allow: ["other.example"], transport };
    expect(await call(`https://other.example:${to.port}/`, other)).toMatchObject({
      reason: "unreachable",
    });
    const unknownAuthority = { lookup: resolving("127.0.0.1") };
    expect(
      await call(url, { allow: ["upstream.example"], transport: unknownAuthority }),
    ).toMatchObject({ reason: "unreachable" });
    expect(to.received).toHaveLength(1);
  });
});

describe("a response", () => {
  it("accepts, with a message, variables and actions", async () => {
    const to = await answering({
      ok: true,
      message: "<b>Ticket 5</b>",
      variables: { ticket: 5, vip: true, name: "Anna" },
      actions: [{ callback: "createTicket", data: { INQUIRY: "x" } }, { callback: "end" }],
    });
    expect(await call(to.url)).toEqual({
      kind: "accepted",
      message: "<b>Ticket 5</b>",
      variables: { ticket: "5", vip: "true", name: "Anna" },
      actions: [
        { callback: "createTicket", data: { INQUIRY: "x" } },
        { callback: "end", data: {} },
      ],
    });
  });

  it("names the invalid fields", async () => {
    const to = await answering({ ok: false, invalidFields: ["email"], message: "No." });
    expect(await call(to.url)).toEqual({
      kind: "invalid-fields",
      fields: ["email"],
      message: "No.",
    });
  });

  it.each([
    ["nothing", ""],
    ["no JSON", "<html>"],
    ["cut JSON", '{"ok": true'],
    ["a list", []],
    ["null", null],
    ["ok as a text", { ok: "true" }],
    ["no ok", { message: "x" }],
    ["a no without fields", { ok: false }],
    ["a no with an empty list", { ok: false, invalidFields: [] }],
    ["a no with a field that is no text", { ok: false, invalidFields: [1] }],
    ["a yes with invalid fields", { ok: true, invalidFields: ["email"] }],
    ["a key that means nothing", { ok: true, mesage: "x" }],
    ["a message that is no text", { ok: true, message: { html: "x" } }],
    ["a variable that is no text", { ok: true, variables: { a: { b: 1 } } }],
    ["variables in a list", { ok: true, variables: ["a"] }],
    ["a variable of the engine's", { ok: true, variables: { sys_unanswered_consecutive: "9" } }],
    ["the variable __proto__", '{"ok": true, "variables": {"__proto__": "x"}}'],
    ["an object as __proto__", '{"ok": true, "variables": {"__proto__": {"admin": "1"}}}'],
    ["__proto__ beside ok", '{"ok": true, "__proto__": {"message": "x"}}'],
    ["an action without a callback", { ok: true, actions: [{ data: {} }] }],
    ["bytes that are not UTF-8", Buffer.from([0x22, 0xff, 0x22]).toString("latin1")],
  ])("of %s is an invalid one", async (_, body) => {
    const to = await answering(body);
    const outcome = await call(to.url);
    expect(outcome).toMatchObject({ kind: "failed", reason: "invalid-response" });
    expect(({} as { admin?: string }).admin).toBeUndefined();
  });

  it.each([
    ["<html>", "it is not JSON in UTF-8"],
    [{ ok: "true" }, "ok: must be among true, false"],
    [{ ok: false }, "invalidFields: is missing"],
    [{ ok: true, mesage: "x" }, 'Unrecognized key: "mesage"'],
    [{ ok: true, message: { html: "x" } }, "message: must be a text"],
    [{ ok: true, variables: { a: { b: 1 } } }, "variables: must be a text"],
    [{ ok: true, actions: [{ data: {} }] }, "actions.0.callback: is missing"],
  ])("is logged with its mistake: %j", async (body, mistake) => {
    const to = await answering(body);
    const { host } = new URL(to.url);
    expect(await call(to.url)).toMatchObject({
      detail: `${host} gave an answer that docs/forms.md does not describe: ${mistake}`,
    });
  });

  it("with the variable called constructor sets a variable and nothing else", async () => {
    const to = await answering({ ok: true, variables: { constructor: "x" } });
    const outcome = await call(to.url);
    expect(outcome).toMatchObject({ kind: "accepted" });
    expect(outcome.kind === "accepted" && Object.entries(outcome.variables)).toEqual([
      ["constructor", "x"],
    ]);
  });
});
