import { describe, expect, test } from "vitest";
import { sweepLoginAttempts } from "../../../../src/backend/chat/agents/login-attempts.ts";
import { deriveHere, createDerivations } from "../../../../src/backend/chat/agents/passwords.ts";
import { service } from "../service.ts";
import type { Answered, Service } from "../service.ts";

interface Logins extends Service {
  /** As many passwords as were checked. */
  readonly looked: () => number;
  /** Milliseconds by which attempts were delayed. */
  readonly held: number[];
  login(password: string, from: string, login?: string): Promise<Answered>;
}

const home = "203.0.113.5";
const office = "2001:db8:5::1";
const stranger = "198.51.100.9";

/** Tests how agents sign in while others guess passwords. */
export function logins(title: string, address: () => Promise<string | null>): void {
  const house = async (places = 500): Promise<Logins> => {
    let looked = 0;
    const held: number[] = [];
    const made = await service(await address(), {
      peer: (c) => c.req.query("from") ?? null,
      pause: (milliseconds) => {
        held.push(milliseconds);
        return Promise.resolve();
      },
      derivations: createDerivations({
        unknown: places,
        perNetwork: places,
        derive: (...given) => {
          looked += 1;
          return deriveHere(...given);
        },
      }),
    });
    await made.ask("POST", "agents", { name: "Sam", login: "sam", password: "a long password" });
    looked = 0;
    return {
      ...made,
      looked: () => looked,
      held,
      login: (password, from, login = "sam") =>
        made.ask("POST", `agents/login?from=${from}`, { login, password }),
    };
  };
  const statuses = (answers: readonly Answered[]): number[] => answers.map(({ status }) => status);
  const times = <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, n) => work(n)));
  const inTurn = async (count: number, work: (n: number) => Promise<Answered>) => {
    const answers: Answered[] = [];
    for (let n = 0; n < count; n += 1) answers.push(await work(n));
    return answers;
  };

  describe(`agents' logins over ${title}`, () => {
    test.each(["sam", "nobody"])(
      "allow ten of 120 guesses for %s at the same moment",
      async (login) => {
        const made = await house();
        const answers = await times(120, (n) =>
          made.login(n === 119 ? "a long password" : "wrong", stranger, login),
        );
        expect(made.looked()).toBe(10);
        expect(statuses(answers).filter((status) => status === 401)).toHaveLength(10);
        const refused = answers.filter(({ status }) => status === 429);
        expect(refused).toHaveLength(110);
        expect(refused[0]?.headers.get("retry-after")).toBe("60");
        expect((await made.login("a long password", stranger, login)).status).toBe(429);
        made.time.advance(61);
        expect((await made.login("a long password", stranger, login)).status).toBe(
          login === "sam" ? 200 : 401,
        );
      },
    );

    test("are locked for no longer than a minute when the clock is set back", async () => {
      const made = await house();
      await inTurn(11, () => made.login("wrong", stranger));
      expect((await made.login("a long password", stranger)).status).toBe(429);
      made.time.advance(-86_400);
      expect((await made.login("a long password", stranger)).status).toBe(200);
      await inTurn(10, () => made.login("wrong", stranger));
      // Clocks of processes may differ by seconds, which must not circumvent the lock.
      made.time.advance(-5);
      const locked = await made.login("a long password", stranger);
      expect([locked.status, locked.headers.get("retry-after")]).toEqual([429, "60"]);
    });

    test("are delayed by a stranger's guesses only from a new place, and never locked", async () => {
      const made = await house();
      expect((await made.login("a long password", office)).status).toBe(200);
      for (let network = 0; network < 4; network += 1) {
        await times(12, () => made.login("wrong", `198.51.100.${network}`));
      }
      made.held.length = 0;
      // Another address of the same network.
      expect((await made.login("a long password", "2001:db8:5:0:ff::7")).status).toBe(200);
      expect(made.held).toEqual([]);
      expect((await made.login("a long password", home)).status).toBe(200);
      expect(made.held).toHaveLength(1);
      expect((await made.login("a long password", home)).status).toBe(200);
      expect(made.held).toHaveLength(1);
    });

    test("many attempts to log in from one network are slowed down, for any account", async () => {
      const made = await house();
      await inTurn(40, (n) => made.login("wrong", stranger, `login-${n}`));
      expect(made.held.at(0)).toBe(250);
      expect(made.held.at(-1)).toBe(5_000);
      made.held.length = 0;
      made.time.advance(901);
      await made.login("wrong", stranger, "another");
      expect(made.held).toEqual([]);
    });

    test("with a correct password remove the failed attempts before it", async () => {
      const made = await house();
      for (let round = 0; round < 3; round += 1) {
        expect(statuses(await inTurn(9, () => made.login("wrong", home)))).not.toContain(429);
        expect((await made.login("a long password", home)).status).toBe(200);
      }
    });

    test("are not counted when they were turned away", async () => {
      const made = await house(3);
      const answers = await times(40, () => made.login("wrong", stranger));
      const looked = statuses(answers).filter((status) => status === 401).length;
      expect(looked).toBeLessThan(40);
      expect(answers.find(({ status }) => status === 429)?.headers.get("retry-after")).toBe("2");
      const table = made.options.database.kysely.selectFrom("chat_login_attempts");
      const counted = await table.select("failures").execute();
      expect(counted.map(({ failures }) => failures)).toEqual([looked, looked, looked]);
    });

    test("leave records without names, which are deleted", async () => {
      const made = await house();
      await made.login("wrong", stranger);
      await made.login("a long password", home);
      const rows = (): Promise<object[]> =>
        made.options.database.kysely.selectFrom("chat_login_attempts").selectAll().execute();
      expect(JSON.stringify(await rows())).not.toMatch(/sam|198\.51|203\.0/);
      await sweepLoginAttempts(made.options.database, made.time.now() + 901_000);
      expect(await rows()).toHaveLength(1);
      await sweepLoginAttempts(made.options.database, made.time.now() + 91 * 86_400_000);
      expect(await rows()).toEqual([]);
    });
  });
}
