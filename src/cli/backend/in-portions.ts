/** Values in one statement: far below what either database takes. */
const portion = 500;

/** Asks in portions of so many values, and gives all answers. */
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
