/** Some features of something, and the value of each. */
export interface SparseRow {
  readonly features: Int32Array;
  readonly values: Float32Array;
}

/** Rows by their features: for every feature the rows that have it, and its value in each. */
export interface InvertedIndex {
  /** Adds to `sums`, by the number of a row, the product of that row with `asked`. */
  addProducts(sums: Float32Array, asked: SparseRow): void;
}

/** @param size number of features; those of the rows are below it */
export function createInvertedIndex(rows: readonly SparseRow[], size: number): InvertedIndex {
  // The holders of feature `n` lie from `starts[n]` to `starts[n + 1]`.
  const starts = new Int32Array(size + 1);
  for (const { features } of rows) {
    for (const feature of features) starts[feature + 1] = (starts[feature + 1] ?? 0) + 1;
  }
  for (let feature = 0; feature < size; feature += 1) {
    starts[feature + 1] = (starts[feature + 1] ?? 0) + (starts[feature] ?? 0);
  }
  const holders = new Int32Array(starts[size] ?? 0);
  const values = new Float32Array(holders.length);
  const next = starts.slice();
  for (const [row, { features, values: own }] of rows.entries()) {
    for (let at = 0; at < features.length; at += 1) {
      const feature = features[at] ?? 0;
      const place = next[feature] ?? 0;
      holders[place] = row;
      values[place] = own[at] ?? 0;
      next[feature] = place + 1;
    }
  }
  return {
    addProducts(sums, asked) {
      for (let at = 0; at < asked.features.length; at += 1) {
        const feature = asked.features[at] ?? 0;
        const value = asked.values[at] ?? 0;
        const end = starts[feature + 1] ?? 0;
        for (let place = starts[feature] ?? 0; place < end; place += 1) {
          const row = holders[place] ?? 0;
          sums[row] = (sums[row] ?? 0) + value * (values[place] ?? 0);
        }
      }
    },
  };
}
