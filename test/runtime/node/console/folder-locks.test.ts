import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  type FolderLocks,
  lockFoldersOf,
} from "../../../../src/runtime/node/console/folder-locks.ts";
import { workspace } from "../../../config/workspace.ts";

const MODULE = new URL("../../../../src/runtime/node/console/folder-locks.ts", import.meta.url);

/** A process that holds the lock of this file's folder. */
async function lockingProcess(file: string) {
  const program = `
    const { lockFoldersOf } = await import(${JSON.stringify(MODULE.href)});
    const { kind } = await lockFoldersOf([${JSON.stringify(file)}], 0);
    console.log(kind);
    setInterval(() => undefined, 1000);
  `;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [output] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  expect(output).toBe("locked\n");
  return child;
}

function release(locks: FolderLocks): void {
  if (locks.kind !== "locked") throw new Error(locks.kind);
  locks.release();
}

test("a folder that another process has locked is busy until that process ends", async () => {
  const folder = await workspace({ "messages/en.yaml": "" });
  await symlink(join(folder, "messages"), join(folder, "link"));
  const file = join(folder, "messages/en.yaml");
  const child = await lockingProcess(file);
  expect(await lockFoldersOf([file], 0)).toEqual({ kind: "busy" });
  // It is the same folder by another name.
  expect(await lockFoldersOf([join(folder, "link/fr.yaml")], 60)).toEqual({ kind: "busy" });
  const waiting = lockFoldersOf([file], 60_000);
  child.kill("SIGKILL");
  release(await waiting);
  expect(await readdir(join(folder, "messages"))).toEqual(["en.yaml"]);
});

test("one process has it at a time, and nothing stays when it is given back", async () => {
  const folder = await workspace({ "en.yaml": "" });
  const file = join(folder, "en.yaml");
  let holders = 0;
  const rounds = Array.from({ length: 20 }, async () => {
    const locks = await lockFoldersOf([file, join(folder, "new/fr.yaml")], 60_000);
    expect(++holders).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 2));
    holders--;
    release(locks);
  });
  await Promise.all(rounds);
  expect(await readdir(folder, { recursive: true })).toEqual(["en.yaml", "new"]);
});
