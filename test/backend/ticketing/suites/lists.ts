import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toStorable } from "../../../../src/storage/storable.ts";
import type { Json } from "../../client.ts";
import type { Service, ServiceOptions } from "../service.ts";
import { service } from "../service.ts";
import { anyText, runs } from "../../../fixtures/runs.ts";

// Input that could become a part of the statement, of IQL, or of the address.
const hostile = fc.constantFrom(
  ...["'", '"', "\\", "'; DROP TABLE tickets; --", '" OR id >= 0 OR title IS "', "') OR 1=1 --"],
  ...[
    "%",
    "_",
    "%27",
    "\u0000",
    "\ud800",
    "\u202e",
    "?1",
    "$1",
    ":a",
    "${x}",
    "`",
    "a\r\nb",
    "(((",
  ],
  ...["NULL", "1e999", "IS EMPTY", "/* */", "x'00'", "\\'", '\\"', "𝒳", "__proto__", "tickets.id"],
);
const text = fc.oneof(
  hostile,
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
  anyText({ minLength: 1, maxLength: 20 }),
);

/** Tests lists and their filters on any store. */
export function lists(
  title: string,
  address: () => Promise<string | null>,
  options: ServiceOptions = {},
): void {
  describe(`lists over ${title}`, () => {
    test("every filter in every order, page by page, returns the matching tickets", async () => {
      const made = await service(await address(), options);
      const all = await someTickets(made);
      const { ask } = made;
      const orders = ["id", "created", "last_update"] as const;
      const filters: readonly (readonly [string, (one: Json) => boolean])[] = [
        ["", () => true],
        ["status=2", ({ status }) => status === 2],
        ["source=3&classification=1", (one) => one.source === 3 && one.classification === 1],
        ["creator=1", ({ creator }) => creator === 1],
        ["solver=2&status=1", (one) => one.solver === 2 && one.status === 1],
        ["parent=1", ({ parent }) => parent === 1],
        ["external_id=e-1", (one) => one.external_id === "e-1"],
        ["queue=7", () => false],
        [iql("status IS NOT 2 AND source >= 2"), (one) => one.status !== 2 && one.source >= 2],
        [iql('creator IS 1 AND title IS "t"'), (one) => one.creator === 1 && one.title === "t"],
        [iql("title IS EMPTY OR solver IS 2"), (one) => one.title === "" || one.solver === 2],
        [iql("id IS 5"), ({ id }) => id === 5],
        [iql("parent IS EMPTY"), ({ parent }) => parent === null],
      ];
      for (const [query, holds] of filters) {
        for (const order of orders) {
          const key = order === "last_update" ? "last_update" : order;
          const wanted = all
            .filter((one) => holds(one))
            .toSorted((a, b) => a[key] - b[key] || a.id - b.id)
            .map(({ id }) => id);
          for (const sort of [order, `-${order}`]) {
            const found: number[] = [];
            for (let offset = 0, more = true; more; offset += 7) {
              const page = `${query}&sort=${sort}&length=7&offset=${offset}`;
              const { body } = await ask("GET", `/tickets?${page}`);
              found.push(...body.data.map(({ id }: Json) => id));
              more = body.hasMore;
            }
            const expected = sort === order ? wanted : wanted.toReversed();
            expect([query, sort, found]).toEqual([query, sort, expected]);
          }
        }
      }
    });

    test("a text in a filter is compared as a text, whatever it looks like", async () => {
      const { ask, user, database } = await service(await address(), options);
      const creator = await user();
      const ticket = async (more: object): Promise<Json> =>
        (await ask("POST", "/tickets", { message: "x", creator, ...more })).body;
      await ticket({ title: "innocent", external_id: "innocent" });
      await fc.assert(
        fc.asyncProperty(text, async (given) => {
          const value = toStorable(given);
          const { id } = await ticket({ title: value, external_id: value });
          const escaped = value.replaceAll(/["\\]/g, "\\$&");
          for (const query of [
            iql(`title IS "${escaped}" AND id >= ${id}`),
            `external_id=${encodeURIComponent(value)}&sort=-id&length=1`,
          ]) {
            const { status, body } = await ask("GET", `/tickets?${query}`);
            expect([status, body.data.map((one: Json) => [one.id, one.title])]).toEqual([
              200,
              [[id, value]],
            ]);
          }
          for (const name of ["address", "name", "hash_uuid", "id"]) {
            const { status, body } = await ask(
              "GET",
              `/users?${name}=${encodeURIComponent(value)}`,
            );
            expect([name, status, body.data.length]).toEqual([name, 200, body.data.length]);
            if (value !== String(creator)) expect([name, body.data]).toEqual([name, []]);
          }
        }),
        { numRuns: 40 },
      );
      const users = await database.kysely.selectFrom("users").select("id").execute();
      expect(users).toHaveLength(1);
    });

    test("a number that no field can have is only compared", async () => {
      const { ask, ticket } = await service(await address(), options);
      const { id } = await ticket();
      const found = async (condition: string): Promise<readonly number[]> => {
        const { status, body } = await ask("GET", `/tickets?${iql(condition)}`);
        expect([condition, status]).toEqual([condition, 200]);
        return body.data.map((one: Json) => one.id);
      };
      const huge = "9".repeat(30);
      for (const condition of [
        ...[`id < ${huge}`, `id > -${huge}`, `id IS NOT ${huge}`, `created < ${huge}`],
        ...[`id > ${id - 0.5}`, `id >= ${id - 0.5}`, `id < ${id + 0.5}`, `id <= ${id + 0.5}`],
        ...[`id IS NOT ${id}.5`, "created > 1.0005", "created IS NOT 1.0005", 'id < "1e30"'],
      ]) {
        expect([condition, await found(condition)]).toEqual([condition, [id]]);
      }
      for (const condition of [
        ...[`id >= ${huge}`, `id IS ${huge}`, `id IS ${id}.5`, `status > ${huge}`],
        ...[`created >= ${huge}`, `created IS ${huge}`, `id > ${id + 0.5}`, `id < ${id - 0.5}`],
      ]) {
        expect([condition, await found(condition)]).toEqual([condition, []]);
      }
    });

    test("any condition is answered, or refused with the place of the mistake", async () => {
      const { ask, ticket } = await service(await address(), options);
      await ticket();
      const word = fc.constantFrom(
        ...["id", "title", "created", "status", "IS", "NOT", "EMPTY", "AND", "OR", "(", ")", ">="],
        ...[
          "1",
          '"x"',
          "'",
          "-5",
          "1e5",
          "9".repeat(30),
          '"2026-01-31"',
          "DROP",
          ";",
          "--",
          "nothing",
        ],
      );
      const condition = fc.oneof(
        fc.array(word, { maxLength: 9 }).map((words) => words.join(" ")),
        text,
      );
      await fc.assert(
        fc.asyncProperty(condition, async (given) => {
          const { status, body } = await ask("GET", `/tickets?${iql(toStorable(given))}`);
          expect([200, 422]).toContain(status);
          if (status === 422) expect(body.message).toMatch(/^iql: /);
        }),
        { numRuns: runs(150) },
      );
    });
  });
}

function iql(condition: string): string {
  return `iql=${encodeURIComponent(condition)}`;
}

/** Forty tickets with every value that filters use, in unrelated orders. */
async function someTickets({ ask, ticket, user, time }: Service): Promise<readonly Json[]> {
  const [first, second] = [await user(), await user("Bo")];
  for (let i = 1; i <= 40; i += 1) {
    await ticket({
      creator: i % 3 === 0 ? second : first,
      title: i % 4 === 0 ? "" : "t",
      source: i % 4,
      ...(i % 2 === 0 && { classification: i % 3 }),
      ...(i % 5 === 0 && { external_id: `e-${i % 2}` }),
      ...(i % 6 === 0 && { solver: second }),
    });
    if (i % 3 === 0) time.advance(1);
  }
  for (const i of [31, 4, 17, 22, 9]) {
    time.advance(1);
    await ask("PUT", `/tickets/${i}`, { status: 2 });
  }
  for (const message of ["one", "two"]) {
    await ask("POST", "/tickets/1/subtickets", { message, creator: first });
  }
  const { body } = await ask("GET", "/tickets?length=200");
  return body.data;
}
