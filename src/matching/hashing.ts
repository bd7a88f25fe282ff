/** FNV-1a over code units, 32 bits, started from a seed that keeps the kinds of features apart. */
export function hashOf(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return mixBits(hash);
}

/** Hashes of the n-grams of `<word>`, whose brackets mark its ends; a shorter word gives one. */
export function gramsOf(word: string, lengths: readonly number[]): number[] {
  const grams: number[] = [];
  const size = word.length + 2;
  for (const length of lengths) {
    const bounded = length > 1;
    const first = bounded ? 0 : 1;
    const last = bounded ? size : size - 1;
    for (let from = first; from + length <= last; from += 1) {
      let hash = 0x811c9dc5 ^ length;
      for (let at = from; at < from + length; at += 1) {
        const unit = at === 0 ? 60 : at === size - 1 ? 62 : word.charCodeAt(at - 1);
        hash = Math.imul(hash ^ unit, 0x01000193);
      }
      grams.push(mixBits(hash));
    }
  }
  return grams;
}

/** Two hashes, in their order, as one. */
export function pairOf(first: number, second: number): number {
  return mixBits(Math.imul(first ^ 0x9e3779b9, 0x85ebca6b) ^ second);
}

function mixBits(hash: number): number {
  let out = hash;
  out = Math.imul(out ^ (out >>> 16), 0x7feb352d);
  out = Math.imul(out ^ (out >>> 15), 0x846ca68b);
  return out ^ (out >>> 16);
}
