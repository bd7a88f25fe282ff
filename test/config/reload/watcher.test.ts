import { rename, rm, symlink } from "node:fs/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { createWatcher, type Watcher } from "../../../src/config/reload/watcher.ts";
import { type Folder, folder, until } from "../../runtime/node/reload/support.ts";

interface Watched {
  readonly place: Folder;
  readonly watcher: Watcher;
  readonly sources: readonly string[];
  readonly directories: readonly string[];
  changes(): number;
}

async function watched(): Promise<Watched> {
  const place = await folder({
    "afterword.yaml": "version: 1\n",
    "messages/en.yaml": "welcome: A\n",
    "spare/en.yaml": "welcome: B\n",
    "spare/unrelated.txt": "",
  });
  let changes = 0;
  const watcher = createWatcher(
    () => (changes += 1),
    (reason) => expect.unreachable(reason),
  );
  onTestFinished(() => watcher.close());
  const directories = [place.at("messages")];
  const sources = [place.at("afterword.yaml"), ...directories, place.at("messages/en.yaml")];
  expect(watcher.follow(sources, directories)).toBe(true);
  expect(watcher.follow(sources, directories)).toBe(false);
  return { place, watcher, sources, directories, changes: () => changes };
}

describe("watcher", () => {
  it.each<[string, (place: Folder) => Promise<void>]>([
    ["the configuration is written", (place) => place.write("afterword.yaml", "version: 2\n")],
    ["a text is written", (place) => place.write("messages/en.yaml", "welcome: B\n")],
    ["a language comes", (place) => place.write("messages/fr.yaml", "")],
    ["a language goes", (place) => rm(place.at("messages/en.yaml"))],
    [
      "an editor puts a file in the place of the old one",
      (place) => rename(place.at("spare/en.yaml"), place.at("messages/en.yaml")),
    ],
    ["the link ..data is switched", (place) => symlink("..1", place.at("messages/..data"))],
    [
      "the directory is replaced",
      async (place) => {
        await rename(place.at("messages"), place.at("old"));
        await rename(place.at("spare"), place.at("messages"));
      },
    ],
  ])("reports %s", async (_what, change) => {
    const { place, changes } = await watched();
    await change(place);
    await until(() => changes() > 0);
  });

  it("does not report files beside the sources", async () => {
    const { place, changes } = await watched();
    for (const name of ["4913", ".en.yaml.swp", "en.yaml~", "#en.yaml#", "en.yaml.tmp"]) {
      await place.write(`messages/${name}`, "x");
      await rm(place.at(`messages/${name}`));
    }
    await place.write("data/state.db", "x");
    await place.write("server.log", "x");
    // Reported in order, and exactly once for a file that replaces another.
    await rename(place.at("spare/en.yaml"), place.at("messages/en.yaml"));
    await until(() => changes() > 0);
    expect(changes()).toBe(1);
  });

  it("goes on in a directory that took the old one's place", async () => {
    const { place, watcher, sources, directories, changes } = await watched();
    await rm(place.at("messages"), { recursive: true });
    await rename(place.at("spare"), place.at("messages"));
    await until(() => changes() > 0);
    expect(watcher.follow(sources, directories)).toBe(true);
    const before = changes();
    await place.write("messages/de.yaml", "");
    await until(() => changes() > before);
  });

  it("ignores what is no longer a source", async () => {
    const { place, watcher, changes } = await watched();
    watcher.follow([place.at("afterword.yaml")], []);
    await place.write("messages/en.yaml", "welcome: B\n");
    await rename(place.at("messages/en.yaml"), place.at("afterword.yaml"));
    await until(() => changes() > 0);
    expect(changes()).toBe(1);
  });

  it("works without a missing source", async () => {
    const { place, watcher } = await watched();
    const missing = place.at("none/at/all.yaml");
    expect(watcher.follow([missing], [])).toBe(false);
    await place.write("none/at/all.yaml", "");
    expect(watcher.follow([missing], [])).toBe(true);
  });
});
