/** A test, by its file below test/ and its title as it stands there, `%s` and `$name` included. */
export interface Reference {
  readonly file: string;
  readonly title: string;
}

/** One statement of the specification, in our own words, and its proof. */
export interface Row {
  /**
   * Number of the section of seed.md, or `accept-both` for the table of the reference's README.md.
   */
  readonly section: string;
  /** `<area>.<name>`, unique. */
  readonly id: string;
  readonly statement: string;
  readonly tests: readonly Reference[];
}

type Written = readonly [id: string, statement: string, ...tests: Reference[]];

/** The rows of one section, in its order. */
export function section(number: string, rows: readonly Written[]): readonly Row[] {
  return rows.map(([id, statement, ...tests]) => ({ section: number, id, statement, tests }));
}

/** Names tests of one file. */
export function testsOf(file: string): (title: string) => Reference {
  return (title) => ({ file, title });
}
