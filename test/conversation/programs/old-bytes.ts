/**
 * Reads the conversations of a full store in turns, and prints how many bytes of one read remain
 * among the old objects. Needs `--expose-gc`.
 */
import { getHeapSpaceStatistics } from "node:v8";
import { emptyMemory, createMemoryStore } from "../../../src/conversation/memory.ts";

const conversations = 1000;
const reads = 200_000;

let time = 0;
const store = createMemoryStore(() => time, conversations);
for (let number = 0; number < conversations; number += 1) {
  await store.put(`conversation ${number}`, emptyMemory);
}
gc();
gc();
const before = old();
for (let number = 0; number < reads; number += 1) {
  time += 1;
  void store.get(`conversation ${number % conversations}`);
}
console.log(Math.round((old() - before) / reads));

function old(): number {
  return getHeapSpaceStatistics()
    .filter(({ space_name: name }) => name === "old_space" || name === "large_object_space")
    .reduce((sum, { space_used_size: used }) => sum + used, 0);
}

function gc(): void {
  const collect: unknown = Reflect.get(globalThis, "gc");
  if (typeof collect === "function") collect();
}
