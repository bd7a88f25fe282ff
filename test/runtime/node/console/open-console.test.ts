import { expect, test } from "vitest";
import { createReloadFiles } from "../../../../src/runtime/node/console/open-console.ts";
import type { ReloadState } from "../../../../src/runtime/node/reload/reload-record.ts";

const patience = { refused: 50, unread: 20_000 };

function read(snapshot: string, state: ReloadState["state"] = "ok"): ReloadState {
  return { state, at: "", snapshot, diagnostics: [] };
}

/** Returns these values in turn, and then the last one again and again. */
function looksAt(...states: readonly ReloadState[]) {
  const rest = [...states];
  return async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return (rest.length > 1 ? rest.shift() : rest[0]) ?? null;
  };
}

test("files that are in force, but are not what was published, are a failure", async () => {
  const reload = createReloadFiles(looksAt(read("old"), read("theirs")), () => "old", patience);
  expect(await reload("ours")).toEqual({
    snapshot: null,
    why: "other files have changed meanwhile",
  });
});

test("the start waits for files that are read late", async () => {
  const states = Array.from({ length: 20 }, () => read("old"));
  // Longer than refused files, however slow this machine is.
  const unread = 120_000;
  const looks = looksAt(...states, read("ours"));
  const reload = createReloadFiles(looks, () => "old", { ...patience, unread });
  expect(await reload("ours")).toEqual({ snapshot: "ours" });
});

test("any files that load are accepted where their contents are not known in advance", async () => {
  const reload = createReloadFiles(looksAt(read("theirs")), () => "old", patience);
  expect(await reload(null)).toEqual({ snapshot: "theirs" });
});
