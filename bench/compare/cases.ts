import type { Case } from "./compare.ts";
import type { Contestant } from "./contestants.ts";
import type { Options } from "./options.ts";

const usualSize = 1700;
const usualConnections = 32;

/**
 * Lists the comparisons in order: the requested ones, or those for the tables of
 * docs/performance.md.
 */
export function casesOf(chosen: readonly Contestant[], options: Options): readonly Case[] {
  const { sizes, connections, rate } = options;
  const one = (size: number, count: number, contestants = chosen): Case => ({
    size,
    connections: count,
    contestants,
    rate: null,
  });
  if (sizes !== null || connections !== null) {
    return (sizes ?? [usualSize]).flatMap((size) =>
      (connections ?? [usualConnections]).map((count) => one(size, count)),
    );
  }
  const few = chosen.filter(({ everywhere }) => everywhere === true);
  if (few.length === 0) return [one(usualSize, usualConnections)];
  return [
    one(usualSize, usualConnections),
    ...[500, 4000, 16_000, 1_000_000].map((size) => one(size, usualConnections, few)),
    ...[1, 256].map((count) => one(usualSize, count, few)),
    ...(rate === 0 ? [] : [1, usualConnections]).map((count) => ({
      ...one(usualSize, count, few),
      rate,
    })),
  ];
}
