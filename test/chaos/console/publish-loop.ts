// Publishes one generation of texts after the other until it is killed.
import { textOf } from "../../../src/config/edit/write-files.ts";
import { writePublication } from "../../../src/runtime/node/console/publications.ts";
import { openConsoleDatabase } from "../../../src/runtime/node/console/store.ts";
import { join } from "node:path";

const [folder = "", database = "", ...names] = process.argv.slice(2);
const AIM = { expected: null, drafted: 0 };
const opened = await openConsoleDatabase(database);
for (let generation = Date.now(); ; generation++) {
  const files = names.map((file) => ({
    file,
    before: textOf(join(folder, file)),
    after: `welcome: "${generation}"\n${"# a long file\n".repeat(2000)}`,
    instances: [],
  }));
  const entry = { label: "loop", note: "", restores: null, imported: null, at: generation };
  process.stdout.write(`${generation}\n`);
  await writePublication(opened, folder, files, entry, async () => ({ snapshot: "hash" }), AIM);
}
