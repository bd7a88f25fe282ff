/** Values in one statement, far below the limits of both databases. */
const portion = 500;

/** Asks about all values, {@link portion} at a time, and joins the answers. */
export async function askInPortions<Value, Answer>(
  values: Iterable<Value>,
  ask: (values: Value[]) => Promise<readonly Answer[]>,
): Promise<readonly Answer[]> {
  const all = [...values];
  const answers: Answer[] = [];
  for (let at = 0; at < all.length; at += portion) {
    answers.push(...(await ask(all.slice(at, at + portion))));
  }
  return answers;
}
