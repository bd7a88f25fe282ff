/**
 * What each set says in each place, in one stretch of memory. Of ten thousand sets one chosen at
 * random is in none of the processor's caches, and each object on the way to its words would have
 * to be fetched by itself: here it is one cell, and the places of one message have cells side by
 * side.
 */
export interface SaidTable {
  /**
   * Where in {@link SaidTable.cells} the two numbers kept for a place begin; -1 when nothing is
   * kept.
   */
  find(set: number, place: number): number;
  put(set: number, place: number, first: number, second: number): void;
  /** Changes when the table grows. */
  readonly cells: Int32Array;
}

/** All numbers are integers of 32 bits; those of sets and places count from zero. */
export function createSaidTable(): SaidTable {
  return new Cells();
}

/**
 * Open addressing: the next free cell after the one that the hash names. At most half of the cells
 * are taken.
 */
class Cells implements SaidTable {
  cells: Int32Array = new Int32Array(SMALLEST * WIDTH);
  #mask: number = SMALLEST - 1;
  #taken = 0;

  find(set: number, place: number): number {
    const { cells } = this;
    const mask = this.#mask;
    for (let cell = home(set, place) & mask; ; cell = (cell + 1) & mask) {
      const at = cell * WIDTH;
      const owner = cells[at];
      if (owner === FREE) return -1;
      if (owner === set + 1 && cells[at + 1] === place) return at + 2;
    }
  }

  put(set: number, place: number, first: number, second: number): void {
    const known = this.find(set, place);
    if (known !== -1) {
      this.cells[known] = first;
      this.cells[known + 1] = second;
      return;
    }
    if (this.#taken * 2 >= this.#mask) this.#grow();
    this.#fill(set + 1, place, first, second);
    this.#taken++;
  }

  #fill(owner: number, place: number, first: number, second: number): void {
    const { cells } = this;
    let cell = home(owner - 1, place) & this.#mask;
    while (cells[cell * WIDTH] !== FREE) cell = (cell + 1) & this.#mask;
    const at = cell * WIDTH;
    cells[at] = owner;
    cells[at + 1] = place;
    cells[at + 2] = first;
    cells[at + 3] = second;
  }

  #grow(): void {
    const old = this.cells;
    this.cells = new Int32Array(old.length * 2);
    this.#mask = this.#mask * 2 + 1;
    for (let at = 0; at < old.length; at += WIDTH) {
      const owner = old[at] ?? FREE;
      if (owner === FREE) continue;
      this.#fill(owner, old[at + 1] ?? 0, old[at + 2] ?? 0, old[at + 3] ?? 0);
    }
  }
}

/** A cell: the set's number and one, the place, and the two numbers kept. */
const WIDTH = 4;
const FREE = 0;
const SMALLEST = 64;

/**
 * Four places that follow each other have four cells that do: they are mostly those of one message.
 */
function home(set: number, place: number): number {
  let mixed = Math.imul(set + 1, 0x9e3779b1) ^ Math.imul(place >>> 2, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed ^= mixed >>> 13;
  return (mixed << 2) | (place & 3);
}
