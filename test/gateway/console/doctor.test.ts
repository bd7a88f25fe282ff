import { describe, expect, it } from "vitest";
import { ADMIN, CONFIG, PAUL, served } from "./console.ts";

const WITH_CREDENTIALS = CONFIG.replace(
  "match: { apiKey: shop-key }",
  'match: { apiKey: shop-key }, credentials: { apiKey: shop-key, secret: "${SECRET}" }',
);

const engine = (origin: string): string =>
  JSON.stringify({
    accessToken: "token-of-the-engine",
    apis: { chatbot: origin },
    sessionToken: "s-1",
    answers: [{ type: "answer", message: "Hello", messageList: ["Hello"], flags: ["welcome"] }],
  });

function withCredentials(answer: Parameters<typeof served>[2]) {
  const env = {
    AFTERWORD_ADMIN_TOKEN: ADMIN,
    AFTERWORD_ADMIN_TOKENS: `paul:publish:${PAUL}`,
    SECRET: "secret-of-the-shop",
  };
  return served({ "afterword.yaml": WITH_CREDENTIALS }, env, answer);
}

describe("the doctor in the console", () => {
  it("makes the calls of a client through this gateway, and reports what each step showed", async () => {
    const { api, upstream, logs } = await withCredentials(engine);
    const { status, body } = await api("doctor", { json: {} });
    expect([status, body]).toEqual([
      200,
      {
        instance: "shop",
        findings: [
          expect.objectContaining({ step: "token", ok: true }),
          expect.objectContaining({ step: "discovery", ok: true }),
          expect.objectContaining({ step: "conversation", ok: true }),
          expect.objectContaining({ step: "message", ok: true, cure: null }),
          expect.objectContaining({ step: "message", ok: true, cure: null }),
        ],
      },
    ]);
    expect(upstream.requests.length).toBe(5);
    expect(JSON.stringify([body, logs])).not.toContain("secret-of-the-shop");
    const { body: log } = await api("audit");
    expect(log).toEqual({ audit: [expect.objectContaining({ label: "admin", action: "doctor" })] });
  });

  it("stops at the first step that fails, and says what to do", async () => {
    const { api } = await withCredentials("no JSON");
    const { body } = await api("doctor", { json: { instance: "shop" } });
    expect(body).toEqual({
      instance: "shop",
      findings: [
        {
          step: "token",
          ok: false,
          detail: "HTTP 200",
          cure: expect.stringContaining("upstream.auth"),
          code: "address",
          params: { setting: "upstream.auth" },
        },
      ],
    });
  });

  it("needs the admin's role, and reports missing credentials", async () => {
    const { api } = await withCredentials(engine);
    expect((await api("doctor", { json: {}, token: PAUL })).status).toBe(403);
    const refused = await api("doctor", { json: { instance: "bank" } });
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body)).toContain("credentials");
  });
});
