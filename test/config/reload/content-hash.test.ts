import { chmod, rename, symlink, utimes } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { createFileStateReader } from "../../../src/config/reload/content-hash.ts";
import { type Folder, folder } from "../../runtime/node/reload/support.ts";

const sourcesOf = (place: Folder): readonly string[] => [
  place.at("afterword.yaml"),
  place.at("messages"),
  place.at("missing"),
];

async function place(): Promise<Folder> {
  return folder({ "afterword.yaml": "version: 1\n", "messages/en.yaml": "welcome: A\n" });
}

describe("the content hash", () => {
  it("depends on the content, not on times, modes and names that a load does not read", async () => {
    const files = await place();
    const look = createFileStateReader(Date.now);
    const before = await look(sourcesOf(files));
    await utimes(files.at("messages/en.yaml"), 0, 0);
    await chmod(files.at("messages/en.yaml"), 0o600);
    await files.write("messages/en.yaml~", "x");
    await files.write("messages/.en.yaml.swp", "x");
    await files.write("messages/4913", "x");
    await files.write("beside.yaml", "x");
    await symlink("somebody@host.1:2", files.at("messages/.#en.yaml"));
    expect((await look(sourcesOf(files))).hash).toBe(before.hash);
    expect(before.directories).toEqual([files.at("messages")]);
  });

  it.each<[string, (files: Folder) => Promise<void>]>([
    ["a byte", (files) => files.write("messages/en.yaml", "welcome: B\n")],
    ["a new file", (files) => files.write("messages/fr.yaml", "welcome: A\n")],
    ["a new directory", (files) => files.write("missing/en.yaml", "welcome: A\n")],
    ["a name", (files) => rename(files.at("messages/en.yaml"), files.at("messages/de.yaml"))],
    ["a missing file", (files) => rename(files.at("afterword.yaml"), files.at("gone.yaml"))],
  ])("changes with %s", async (_what, change) => {
    const files = await place();
    const look = createFileStateReader(Date.now);
    const before = await look(sourcesOf(files));
    await change(files);
    expect((await look(sourcesOf(files))).hash).not.toBe(before.hash);
  });

  it("sees a change that leaves size and times as they were, on a clock of whole seconds too", async () => {
    const files = await place();
    // While the file is young, its timestamps prove nothing.
    const look = createFileStateReader(Date.now);
    const file = files.at("messages/en.yaml");
    await utimes(file, 1, 1);
    const before = await look(sourcesOf(files));
    await files.write("messages/en.yaml", "welcome: B\n");
    await utimes(file, 1, 1);
    expect((await look(sourcesOf(files))).hash).not.toBe(before.hash);
  });

  it("is the same for every look that begins anew", async () => {
    const files = await place();
    const [one, other] = [createFileStateReader(Date.now), createFileStateReader(() => Infinity)];
    await other(sourcesOf(files));
    expect(await one(sourcesOf(files))).toEqual(await other([...sourcesOf(files)].toReversed()));
  });
});
