import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const program = fileURLToPath(new URL("programs/survivors.ts", import.meta.url));

it("lets nothing be old as soon as it is made, however much was made at that place and survived", async () => {
  expect(await survivors("young")).toBe("young\n");
});

it("is needed: Node on its own puts them among the old ones", async () => {
  expect(await survivors()).toBe("old\n");
});

async function survivors(...argv: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--allow-natives-syntax",
    // V8 decides only while the young generation is as large as it may become.
    "--max-semi-space-size=1",
    program,
    ...argv,
  ]);
  return stdout;
}
