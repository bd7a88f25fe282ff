/** The features of a text that are not 0, and the value of each. */
export interface SparseRow {
  readonly features: Int32Array;
  readonly values: Float32Array;
}

/** Lists for every feature the rows that have it, and its value in each. */
export interface InvertedIndex {
  /** Adds to each element of `sums` the product of the row with that number and `query`. */
  addProducts(sums: Float32Array, query: SparseRow): void;
}

/** @param size the number of features, which are numbered from 0 */
export function createInvertedIndex(rows: readonly SparseRow[], size: number): InvertedIndex {
  // The rows with feature `n` are at `starts[n]` to `starts[n + 1]`, exclusive.
  const starts = new Int32Array(size + 1);
  for (const { features } of rows) {
    for (const feature of features) starts[feature + 1] = (starts[feature + 1] ?? 0) + 1;
  }
  for (let feature = 0; feature < size; feature += 1) {
    starts[feature + 1] = (starts[feature + 1] ?? 0) + (starts[feature] ?? 0);
  }
  const rowsOf = new Int32Array(starts[size] ?? 0);
  const values = new Float32Array(rowsOf.length);
  const next = starts.slice();
  for (const [row, { features, values: own }] of rows.entries()) {
    for (let at = 0; at < features.length; at += 1) {
      const feature = features[at] ?? 0;
      const slot = next[feature] ?? 0;
      rowsOf[slot] = row;
      values[slot] = own[at] ?? 0;
      next[feature] = slot + 1;
    }
  }
  return {
    addProducts(sums, query) {
      for (let at = 0; at < query.features.length; at += 1) {
        const feature = query.features[at] ?? 0;
        const value = query.values[at] ?? 0;
        const end = starts[feature + 1] ?? 0;
        for (let slot = starts[feature] ?? 0; slot < end; slot += 1) {
          const row = rowsOf[slot] ?? 0;
          sums[row] = (sums[row] ?? 0) + value * (values[slot] ?? 0);
        }
      }
    },
  };
}
