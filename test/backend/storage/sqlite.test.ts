// Suite: slow
import { join } from "node:path";
import { afterAll } from "vitest";
import { createFolder } from "../../fixtures/folder.ts";
import { contentsIn } from "./suites/contents.ts";
import { conversationsIn } from "./suites/conversations.ts";
import { databaseIn } from "./suites/database.ts";

const directory = createFolder(afterAll);

let files = 0;
const newFile = (): Promise<string> => {
  files += 1;
  return Promise.resolve(join(directory, `${files}.db`));
};
const inMemory = (): Promise<null> => Promise.resolve(null);

for (const suite of [databaseIn, conversationsIn, contentsIn]) {
  suite("a file", newFile);
  suite("memory", inMemory);
}
