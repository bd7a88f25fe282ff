/** Edges of a word, for patterns of several scripts. */
export const BEGINS = String.raw`(?<![\p{L}\p{M}\p{N}])`;
export const ENDS = String.raw`(?![\p{L}\p{M}\p{N}])`;
