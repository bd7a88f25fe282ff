import { serve, type ServerType } from "@hono/node-server";
import { expect, it, onTestFinished, vi } from "vitest";
import { clock, login, open } from "./client.ts";

// It puts a Response of its own in place of the platform's, for the whole process.
it("is written once under serve() of @hono/node-server too", async () => {
  const complaints = vi.spyOn(console, "error").mockReturnValue();
  onTestFinished(() => complaints.mockRestore());
  const backend = await open({ ownListener: true, now: clock().now });
  const server = await new Promise<ServerType>((resolve) => {
    const started = serve({ port: 0, hostname: "127.0.0.1", fetch: backend.app.fetch }, () =>
      resolve(started),
    );
  });
  onTestFinished(async () => {
    server.close();
    await backend.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const headers = { ...(await login(backend.app)), "content-type": "application/json" };
  const search = async (query: unknown): Promise<readonly [number, unknown]> => {
    const response = await fetch(`http://127.0.0.1:${port}/knowledge/v1/search`, {
      method: "POST",
      headers,
      body: JSON.stringify({ query }),
    });
    return [response.status, await response.json()];
  };
  expect(await search("where is my order?")).toMatchObject([200, { results: expect.anything() }]);
  expect(await search("zzzzqqqq xxyyzz")).toMatchObject([404, { results: [] }]);
  expect(complaints).not.toHaveBeenCalled();
});
