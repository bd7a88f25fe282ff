// Suite: slow
import { expect, onTestFinished, test } from "vitest";
import { DEMO_CHAT } from "../../../src/backend/chat/demo.ts";
import { open } from "../client.ts";

/** A body without end, and how much of it was read. */
function endless(): { readonly body: ReadableStream<Uint8Array>; readonly read: () => number } {
  let read = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        read += 1024;
        controller.enqueue(new Uint8Array(1024).fill(0x20));
      },
    },
    { highWaterMark: 0 },
  );
  return { body, read: () => read };
}

const app = { "x-hyper-appId": DEMO_CHAT.appId };

test.each([
  ["/v1/auth", {}, 401],
  ["/v1/auth", { "x-inbenta-key": "nobody's" }, 401],
  ["/v1/refreshToken", { "x-inbenta-key": "demo-key" }, 401],
  ["/v1/agents/login", { "x-hyper-appId": "nobody" }, 401],
])(
  "nothing of a body to %s with %j is read before the credentials are checked",
  async (path, headers, status) => {
    const backend = await open();
    onTestFinished(() => backend.close());
    const { body, read } = endless();
    const init = { method: "POST", headers, body, duplex: "half" } as const;
    expect((await backend.app.request(path, init)).status).toBe(status);
    expect(read()).toBe(0);
  },
);

test.each([
  ["/v1/auth", { "x-inbenta-key": "demo-key" }, { secret: "demo-secret" }],
  ["/v1/agents/login", app, { login: DEMO_CHAT.agent, password: DEMO_CHAT.password }],
])("a body to %s may have 16 KiB, also in chunks", async (path, headers, right) => {
  const backend = await open();
  onTestFinished(() => backend.close());
  const { body, read } = endless();
  const init = { method: "POST", headers, duplex: "half" } as const;
  expect((await backend.app.request(path, { ...init, body })).status).toBe(413);
  expect(read()).toBe(17 * 1024);
  const text = JSON.stringify(right);
  expect((await backend.app.request(path, { ...init, body: text.padEnd(16_384) })).status).toBe(
    200,
  );
  expect((await backend.app.request(path, { ...init, body: text.padEnd(16_385) })).status).toBe(
    413,
  );
});
