import { expect, onTestFinished, test, vi } from "vitest";
import { startHotReload } from "../../../src/config/reload/hot-reload.ts";
import { createFolder } from "../../fixtures/folder.ts";

test("closes although a load is stuck", async () => {
  const directory = createFolder();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const hotReload = startHotReload<never>({
    sources: () => [directory],
    load() {
      begin();
      return new Promise(() => {});
    },
    decide: () => expect.unreachable(),
    failed: (error) => expect.unreachable(String(error)),
    loaded: { at: Date.now() },
    now: Date.now,
  });
  void hotReload.reload();
  await begun;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const closed = hotReload.close();
  await vi.advanceTimersByTimeAsync(5000);
  await closed;
});
