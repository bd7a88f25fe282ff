import { expect, test } from "vitest";
import { createAccess } from "../../../src/gateway/console/access.ts";
import type { Exchange } from "../../../src/gateway/exchange/exchange.ts";

const TOKEN = "token-of-the-owner";

/** The console's access, with a clock for it. */
function opened(digest: (text: string) => string | Promise<string> = (text) => text) {
  let time = 0;
  let guesses = 0;
  const parts = { clock: () => time, digest };
  const judge = createAccess({ token: TOKEN, opensLoopback: false }, () => [], parts);
  const show = async (token: string, address: string) => {
    const headers = ["Authorization", `Bearer ${token}`];
    const exchange = { headers, client: { address, share: null } } as unknown as Exchange;
    const judged = await judge(exchange);
    return judged.kind === "wait" ? judged.seconds : judged.kind;
  };
  const guess = async (times: number, address: string) => {
    const answers = [];
    for (let n = 0; n < times; n++) answers.push(await show(`wrong ${guesses++}`, address));
    return answers;
  };
  return { show, guess, advance: (milliseconds: number) => (time += milliseconds) };
}

test("a network that guesses has to wait, at most a minute; an IPv6 address counts by its /64", async () => {
  const { show, guess, advance } = opened();
  expect(await guess(6, "2001:db8::1")).toEqual([...Array(5).fill("wrong"), 1]);
  expect(await show(TOKEN, "2001:db8::2")).toBe(1);
  expect(await show(TOKEN, "2001:db8:0:1::2")).toBe("granted");
  for (let n = 0; n < 20; n++) {
    advance(60_000);
    await guess(1, "2001:db8::3");
  }
  expect(await show(TOKEN, "2001:db8::4")).toBe(60);
});

test("a page that goes on with a token that was withdrawn makes one guess", async () => {
  const { show, guess } = opened();
  const office = "203.0.113.5";
  for (let n = 0; n < 20; n++) expect(await show("withdrawn", office)).toBe("wrong");
  expect(await guess(5, office)).toEqual([...Array(4).fill("wrong"), 1]);
  expect(await show("wrong 4", office)).toBe(1);
});

test("guesses at the same time are all counted", async () => {
  const { show, guess } = opened(async (text) => text);
  await Promise.all(["a", "b", "c", "d", "e"].map((token) => show(token, "203.0.113.6")));
  expect(await guess(1, "203.0.113.6")).toEqual([1]);
});

test("others behind the owner's address do not lock the owner out", async () => {
  const { show, guess, advance } = opened();
  const office = "203.0.113.5";
  expect(await show(TOKEN, office)).toBe("granted");
  await guess(9, office);
  expect(await show("wrong", office)).toBe(1);
  expect(await show(TOKEN, office)).toBe("granted");
  // After a week without a login of the owner, it is treated as any other address.
  advance(7 * 86_400_000 + 1);
  await guess(5, office);
  expect(await show(TOKEN, office)).toBe(1);
});
