import { createHmac } from "node:crypto";
import { expect } from "vitest";
import { type ReceivedRequest, jsonOf, textOf, valueOf, valuesOf } from "../exchange.ts";
import type { Started } from "../runtime.ts";
import { type Area, askMessage, engine, flagged, message, question, start } from "../scenario.ts";

const base = "/prod/chatbot";
const secret = "what the client and the upstream share";
const signature = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

/** The vendor's signatures over requests and answers (README.md, "Signed requests and answers"). */
export const signatures: Area = {
  name: "a signature of the vendor's protocol",
  scenarios: [
    ...["", "/chatbot"].map((prefix) => ({
      name: `on a request through ${prefix === "" ? "a plain path" : prefix} is right at the upstream`,
      run: (bed: Started) => verifies(bed, prefix, "fixed"),
    })),
    {
      name: "on a request through a signed route is right at the upstream",
      async run(bed) {
        await bed.upstream.script({ "POST /v1/auth": engine(loginAnswer(bed)) });
        const { apis } = jsonOf(await bed.client.ask(login)) as { apis: { chatbot: string } };
        await verifies(bed, new URL(apis.chatbot).pathname, "roaming");
      },
    },
    {
      name: "on an answer stays right: its bytes are left alone",
      async run(bed) {
        const headers = ["Content-Type", "application/json", "X-Inbenta-Signature", signature];
        const answer = await askMessage(bed, engine(flagged("no-results"), { headers }));
        expect(textOf(answer)).toBe(flagged("no-results"));
        expect(valueOf(answer, "x-inbenta-signature")).toBe(signature);
      },
    },
    {
      name: "on the answer to a conversation's start hides nothing: its language is known",
      async run({ client, upstream }) {
        const session = `s-${Math.random()}`;
        const headers = ["Content-Type", "application/json", "x-inbenta-signature", signature];
        const begun = JSON.stringify({ sessionToken: session });
        await upstream.script({
          [start]: engine(begun, { headers }),
          [message]: engine(flagged("welcome")),
        });
        const asked = question({ target: "/v1/conversation", body: '{"lang":"fr"}' });
        expect(textOf(await client.ask(asked))).toBe(begun);
        const next = question({ headers: ["x-inbenta-session", `Bearer ${session}`] });
        // A turn waits 50 ms for the memory. A busy machine may need longer, and then a later turn
        // has it.
        await expect.poll(async () => textOf(await client.ask(next))).toContain("Bonjour");
      },
    },
    {
      name: "on the answer of a login stays right: its addresses are left alone too",
      async run(bed) {
        const headers = ["Content-Type", "application/json", "x-inbenta-signature", signature];
        await bed.upstream.script({ "POST /v1/auth": engine(loginAnswer(bed), { headers }) });
        expect(textOf(await bed.client.ask(login))).toBe(loginAnswer(bed));
      },
    },
  ],
};

const login = {
  method: "POST",
  target: "/v1/auth",
  headers: ["x-inbenta-key", "roaming", "Content-Type", "application/json"],
  body: '{"secret":"s"}',
};

function loginAnswer({ upstream }: Started): string {
  const chatbot = `http://127.0.0.1:${upstream.port}${base}`;
  return JSON.stringify({ accessToken: "t", expires_in: 1200, apis: { chatbot } });
}

async function verifies({ client, upstream }: Started, prefix: string, key: string): Promise<void> {
  const history = "GET /prod/chatbot/v1/conversation/history";
  await upstream.script({ [message]: engine(flagged("welcome")), [history]: engine("[]") });
  const body = '{"message":"Où est-ce ?"}';
  const answer = await client.ask(
    question({
      key,
      body,
      target: `${prefix}/v1/conversation/message`,
      headers: signed("POST", "/v1/conversation/message", "", body),
    }),
  );
  expect(textOf(answer)).toContain("Hello from us!");
  const query = "from=2026-11-01T10%3A00%3A00%2B01:00&&q=a+b%20c";
  await client.ask({
    target: `${prefix}/v1/conversation/history?${query}`,
    headers: ["x-inbenta-key", key, ...signed("GET", "/v1/conversation/history", query, "")],
  });
  const requests = await upstream.received();
  expect(requests.map(({ method }) => method)).toEqual(["POST", "GET"]);
  for (const request of requests) expect(isRight(request)).toBe(true);
}

function signed(method: string, path: string, query: string, body: string): string[] {
  const timestamp = String(1_800_000_000);
  const value = signatureOf([method, path, query, body, timestamp, "v1"]);
  return [
    ...["x-inbenta-signature", value, "x-inbenta-signature-version", "v1"],
    ...["x-inbenta-timestamp", timestamp],
  ];
}

/** The upstream's own signature over the received request; the path is the one after its base. */
function isRight({ method, target, headers, body }: ReceivedRequest): boolean {
  const [path = "", query = ""] = target.slice(base.length).split("?");
  const [timestamp = ""] = valuesOf(headers, "x-inbenta-timestamp");
  const [version = ""] = valuesOf(headers, "x-inbenta-signature-version");
  const right = signatureOf([method, path, query, body, timestamp, version]);
  return valuesOf(headers, "x-inbenta-signature").join() === right;
}

function signatureOf(parts: readonly string[]): string {
  const text = parts.filter((part) => part !== "").map(encodeURIComponent);
  return createHmac("sha256", secret).update(text.join("&")).digest("hex");
}
