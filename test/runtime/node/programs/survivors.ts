/**
 * Makes much that survives at one place in the code, until something from there is old as soon as
 * it is made, and says so; after thirty rounds it says `young`. With the argument `young` as a
 * server does it, else as Node does. Needs `--allow-natives-syntax`.
 */
import { keepAllocationsYoung } from "../../../../src/runtime/node/young-allocations.ts";

if (process.argv[2] === "young") keepAllocationsYoung();

// oxlint-disable-next-line no-new-func, no-implied-eval -- the parser that takes the types away does not know V8's own syntax
const isYoung = new Function("object", "return %InYoungGeneration(object)");
const make = (number: number): number[] => [number, number + 1, number + 2];

function firstOld(): string {
  for (let round = 0; round < 30; round += 1) {
    const kept: number[][] = [];
    for (let number = 0; number < 200_000; number += 1) kept.push(make(number));
    if (isYoung(make(kept.length)) !== true) return "old";
  }
  return "young";
}

console.log(firstOld());
