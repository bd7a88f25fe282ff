import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readDrafted } from "../../../../src/runtime/node/console/drafted-contents.ts";
import { workspace } from "../../../config/workspace.ts";

const ONE = "language: en\ncontents:\n  - { id: 1, title: Returns, answer: In 14 days. }\n";

it("reads a draft once while somebody types, and again when it or a file changes", async () => {
  const folder = await workspace({ "backend/shop.en.yaml": ONE });
  const read = (title: string) =>
    readDrafted({
      folder,
      directory: join(folder, "backend"),
      env: {},
      stored: null,
      drafted: {
        changes: [{ language: "en", file: "backend/shop.en.yaml", id: 1, fields: { title } }],
        bases: {},
      },
      texts: {},
    });
  const titleOf = ({ files }: ReturnType<typeof read>) => files[0]?.items[0]?.fields.title;
  const first = read("Send it back");
  expect(read("Send it back")).toBe(first);
  expect(titleOf(first)).toBe("Send it back");
  expect(titleOf(read("Send back"))).toBe("Send back");
  await writeFile(join(folder, "backend", "shop.en.yaml"), ONE.replace("14", "30"));
  const fresh = read("Send it back");
  expect(fresh).not.toBe(first);
  expect(fresh.files[0]?.items[0]?.fields.answer).toEqual(["In 30 days."]);
});
