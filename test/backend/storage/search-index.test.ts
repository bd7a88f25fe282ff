import { expect, test } from "vitest";
import { MIGRATIONS } from "../../../src/backend/storage/migrations/list.ts";
import { wordsToIndex } from "../../../src/matching/searched-words.ts";

test("a database whose search index was written with other words is refused", () => {
  // Stored rows keep the words that they were written with. If the words change, raise the number
  // of the tables, and change both here.
  const texts = [
    "Müller, Øre, Ålborg, Straße, İzmir, Łódź, col·lecció",
    "½ ٣ أَحْمَدُ שָׁלוֹם Ὀδυσσεύς 東京都 ไทย",
  ];
  expect([MIGRATIONS.at(-1)?.name, ...texts.map(wordsToIndex)]).toEqual([
    "0001-first-release-7",
    "muller ore alborg strasse izmir lodz colleccio mueller oere aalborg",
    "1 2 3 احمد שלומ οδυσσευσ 東京 京都 都 ไท ทย ย",
  ]);
});
