/** A test, by its file below test/ and its title as it stands there, `%s` and `$name` included. */
export interface Reference {
  readonly file: string;
  readonly title: string;
}

/** Parts of the product that are not there yet. */
export type Pending = "escalation";

/** One thing that the specification says, in words of our own, and what proves it. */
export interface Row {
  /** Number of the section of seed.md, or `accept-both` for the table of the reference's README.md. */
  readonly section: string;
  /** `<area>.<name>`, unique. */
  readonly id: string;
  readonly statement: string;
  readonly tests: readonly Reference[];
  readonly pending: Pending | null;
}

type Written = readonly [id: string, statement: string, ...Proof[]];
type Proof = Reference | { readonly pending: Pending };

/** The rows of one section, in its order. */
export function section(number: string, rows: readonly Written[]): readonly Row[] {
  return rows.map(([id, statement, ...proofs]) => ({
    section: number,
    id,
    statement,
    tests: proofs.filter((proof) => "file" in proof),
    pending: proofs.find((proof) => "pending" in proof)?.pending ?? null,
  }));
}

/** Names tests of one file. */
export function testsOf(file: string): (title: string) => Reference {
  return (title) => ({ file, title });
}

/** Stands in place of a test until the part of the product is there. */
export function soon(pending: Pending): Proof {
  return { pending };
}
