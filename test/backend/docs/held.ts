import { expect } from "vitest";
import { AUTH_OPERATIONS } from "../../../src/api/auth/schema.ts";
import { CHATBOT_OPERATIONS } from "../../../src/api/chatbot/operations.ts";

// The chatbot is there without a version too, and both without the product's name.
const rows = [...AUTH_OPERATIONS, ...CHATBOT_OPERATIONS].map((operation) => {
  const paths = [operation.path, ...(operation.aliases ?? [])].map((path) =>
    path.replaceAll(/\{\w+\}/g, "[^/]+"),
  );
  return { ...operation, pattern: new RegExp(`^(?:/auth|/chatbot)?(?:${paths.join("|")})/?$`) };
});

/**
 * Checks an answer of the authentication service or the engine against the published shape of its
 * operation: no member may be missing, of another type, or undocumented. Other answers are not
 * checked.
 */
export function holdAgainstDocumentation(
  method: string,
  path: string,
  status: number,
  body: unknown,
): void {
  const bare = path.split("?")[0] ?? "";
  const row = rows.find((one) => one.method === method && one.pattern.test(bare));
  if (row === undefined) return;
  if (status === 200) {
    const read = row.answer?.safeParse(body);
    expect([row.id, read?.error?.issues ?? []]).toEqual([row.id, []]);
    // Undocumented members are dropped from the parsed value.
    expect(read?.data).toEqual(plain(body));
    return;
  }
  // 500 stands for a fault of ours, which no caller can provoke.
  const documented = [...row.errors.map((error) => error.status), 500];
  expect([row.id, documented]).toEqual([row.id, expect.arrayContaining([status])]);
}

// A variable may be called `__proto__`, which a reader of shapes leaves out.
function plain(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (name, value: unknown) =>
    name === "__proto__" ? undefined : value,
  );
}
