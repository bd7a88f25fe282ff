import { once } from "node:events";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { expect, it, onTestFinished } from "vitest";
import { serveOnBun } from "../../../src/runtime/bun/serve.ts";
import { rawConnect, rawRequest } from "../../../src/testing/index.ts";
import { load, workspace } from "../../config/workspace.ts";
import { gate } from "../node/support.ts";
import { rawUpstream } from "../../http/raw-upstream.ts";

const root = join(import.meta.dirname, "../../..");
const vendor = "version: 1\nupstream: { auth: https://api.example.com }\n";

it.each([
  ["upstream: embedded", "version: 1\nupstream: embedded\n"],
  ["listen.tls", `${vendor}listen: { tls: { cert: cert.pem, key: key.pem } }\n`],
  ["state.store: file", `${vendor}state: { store: file }\n`],
  ["state.store: redis", `${vendor}state: { store: redis://127.0.0.1:1 }\n`],
])("does not start with `%s`, and says what to do", async (setting, text) => {
  const config = await load({
    "afterword.yaml": text,
    "cert.pem": "",
    "key.pem": "",
  });
  await expect(serveOnBun({ config, env: {} })).rejects.toThrow(
    `\`${setting}\` is not to be had on Bun: run this configuration on Node (npm start)`,
  );
});

it("finishes what is under way when it is stopped, and takes nothing new", async () => {
  const asked = gate();
  const released = gate();
  const upstream = await rawUpstream((socket) => {
    asked.open();
    void released.opened.then(() =>
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate"),
    );
  });
  const directory = await workspace({
    "afterword.yaml": `version: 1\nupstream: { auth: ${upstream.origin}, chat: ${upstream.origin} }\n`,
  });
  const server = spawn(
    join(root, "node_modules/.bin/bun"),
    [join(root, "src/runtime/bun/serve.ts")],
    {
      cwd: directory,
      env: { AFTERWORD_CONFIG: "afterword.yaml", AFTERWORD_LOG: "silent", PORT: "0" },
    },
  );
  onTestFinished(() => void server.kill("SIGKILL"));
  const ended = once(server, "exit");
  const [line] = await once(server.stdout, "data");
  const port = Number(/:(\d+)\n/.exec(String(line))?.[1]);
  const answer = rawRequest(port, "GET /v1/apis HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  await asked.opened;
  server.kill("SIGTERM");
  await expect
    .poll(() =>
      rawConnect(port).then(
        () => "open",
        () => "closed",
      ),
    )
    .toBe("closed");
  released.open();
  expect((await answer).body.toString()).toBe("late");
  expect(await ended).toEqual([0, null]);
});
