// Suite: slow
import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RawAnswer } from "../../src/testing/index.ts";
import { config, tables } from "../fixtures/config.ts";
import { ADVERSARIAL } from "../json/adversarial.ts";
import {
  anyCase,
  coded,
  endToEnd,
  isReadable,
  plainCase,
  scripted,
  type Case,
} from "./fidelity/cases.ts";
import { openLanes, type Lanes } from "./fidelity/lanes.ts";
import { judge, type Words } from "./fidelity/oracle.ts";
import { type Bench, rawPost, startBench } from "./harness.ts";
import { runs } from "../fixtures/runs.ts";

const SEED = Number(process.env["FIDELITY_SEED"] ?? Date.now() & 0x7fffffff);
const BATCH = 40;
// In full 5,000 answers.
const BATCHES = runs(125);

const words: Words = {
  texts: {
    "no-results": 'Nothing found: "x" \\ <b>é</b> 日本 \u{1f600}\u2028',
    welcome: "W",
    "multiple-options": "Which one?",
    "follow-up-question": "What else?",
    "character-limit-exceeded": "Too long.",
  },
  relatedTitle: "See also:",
  titles: { "no results": "no-results" },
};

let bench: Bench;
let lanes: Lanes;
const cases = new Map<string, Case>();
let sent = 0;
const seen = { answers: 0, edited: 0, edits: 0, readable: 0 };

beforeAll(async () => {
  console.log(`fidelity: FIDELITY_SEED=${SEED}`);
  bench = await startBench({
    handler: ({ target }) => scripted(cases.get(target.split("case=")[1] ?? "") ?? plainCase("{}")),
    instance: {
      rules: {
        activeDefaultContent: ["no-results"],
        recognize: { "No Results": "no-results" },
        restoreFlags: true,
        replace: {},
      },
    },
    config: {
      tableSets: config(tables({ en: { ...words.texts, "related-title": words.relatedTitle } }))
        .tableSets,
    },
  });
  lanes = openLanes(bench.port, 8);
});

afterAll(async () => {
  lanes.close();
  await bench.close();
});

/** Sends one case through the gateway. Returns the fault, or null. */
async function problemWith(one: Case): Promise<string | null> {
  const id = String(++sent);
  cases.set(id, one);
  try {
    const target = `/v1/conversation/message?case=${id}`;
    const asked = rawPost(target, '{"message":"hm"}', ["X-Inbenta-Key: k"]);
    return inspect(one, await lanes.ask(asked));
  } finally {
    cases.delete(id);
  }
}

function inspect(one: Case, answer: RawAnswer): string | null {
  seen.answers++;
  if (!answer.complete) return "the connection ended within the answer";
  if (answer.startLine !== `HTTP/1.1 ${one.status} ${one.reason}`)
    return `status line: ${answer.startLine}`;
  const original = coded(one);
  const untouched = Buffer.compare(original, answer.body) === 0;
  const coding = untouched ? one.coding : null;
  if (!isReadable(one) || (untouched && coding !== null && coding !== "identity")) {
    // Coded bytes that were passed on unchanged contained nothing to edit.
    const plain = isReadable(one) ? judge(one.body, one.body, words).problem : null;
    return (
      plain ?? (untouched ? wrongFields(one, answer, false) : "bytes differ behind a closed gate")
    );
  }
  seen.readable++;
  const { problem, edits } = judge(one.body, answer.body, words);
  if (edits > 0) seen.edited++;
  seen.edits += edits;
  return problem ?? wrongFields(one, answer, edits > 0);
}

/**
 * End-to-end fields in the upstream's order, case and number, and a correct length if there is one.
 */
function wrongFields(one: Case, { headers, body }: RawAnswer, edited: boolean): string | null {
  const rest: string[] = [];
  for (let i = 0; i < headers.length; i += 2) {
    const [name = "", value = ""] = headers.slice(i, i + 2);
    if (name.toLowerCase() === "transfer-encoding") continue;
    if (name.toLowerCase() !== "content-length") rest.push(name, value);
    else if (value !== String(body.length))
      return `content-length ${value} for ${body.length} bytes`;
  }
  return isDeepStrictEqual(rest, endToEnd(one, edited)) ? null : `fields: ${JSON.stringify(rest)}`;
}

async function expectFaithful(batch: readonly Case[]): Promise<void> {
  const problems = await Promise.all(batch.map(problemWith));
  const wrong = problems.flatMap((problem, i) => (problem === null ? [] : [{ problem, i }]))[0];
  if (wrong === undefined) return;
  const one = batch[wrong.i];
  const shown = Buffer.from(one?.body ?? [])
    .toString("utf8")
    .slice(0, 2000);
  throw new Error(`${wrong.problem}\n${JSON.stringify({ ...one, body: shown }, null, 1)}`);
}

describe("the running gateway", () => {
  it(`gives back ${BATCH * BATCHES} generated answers byte for byte, outside the listed edits`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyCase, { minLength: BATCH, maxLength: BATCH }), expectFaithful),
      {
        seed: SEED,
        numRuns: BATCHES,
        interruptAfterTimeLimit: 100_000,
        markInterruptAsFailure: true,
      },
    );
    // Otherwise a gateway that edits nothing, or a generator without texts to edit, would pass all
    // of the above.
    expect(seen.answers).toBeGreaterThanOrEqual(BATCH * BATCHES);
    expect(seen.edited).toBeGreaterThan(seen.answers / 10);
    expect(seen.readable - seen.edited).toBeGreaterThan(seen.answers / 10);
    console.log(`fidelity: ${JSON.stringify(seen)}`);
  }, 110_000);

  it("gives back every adversarial document as it is", async () => {
    await expectFaithful(ADVERSARIAL.map(({ bytes }) => plainCase(bytes)));
  });

  it("edits around any adversarial value, and nothing around one that is no JSON", async () => {
    const before = '{"answers":[{"flags":["no-results"],"message":"Sorry","x":';
    const around = ADVERSARIAL.map(({ bytes }) =>
      plainCase(Buffer.concat([Buffer.from(before), bytes, Buffer.from("}]}")])),
    );
    const { edited } = seen;
    await expectFaithful(around);
    expect(seen.edited - edited).toBeGreaterThan(20);
  });

  const flagged = '{"answers":[{"flags":["no-results"],"message":"Sorry"}]}';
  it.each<readonly [name: string, reason: string, one: Case]>([
    ["invalid JSON", "invalid-json", plainCase(`${flagged}}`)],
    ["a truncated answer", "invalid-json", plainCase('{"relatedTitle":"x","answers":[{"fl')],
    ["HTML that says it is JSON", "bytes", plainCase("<h1>Bad gateway</h1>")],
    ["HTML", "media-type", plainCase(flagged, { type: "text/html" })],
    ["no media type", "media-type", plainCase(flagged, { type: null })],
    ["an empty body", "bytes", plainCase("")],
    ["20 MB", "size", plainCase(twentyMegabytes(flagged))],
    ["20 MB in chunks", "size", plainCase(twentyMegabytes(flagged), { framing: "chunks" })],
    ["flags that are a string", "no-flag", plainCase('{"answers":[{"flags":"no-results"}]}')],
    ["answers that are null", "unknown-shape", plainCase('{"answers":null,"flags":["welcome"]}')],
    ["a coding nobody knows", "coding", plainCase(flagged, { coding: "zstd" })],
    ["a coding that is a lie", "decode-failed", plainCase(flagged, { coding: "lie" })],
    [
      "an error's status",
      "status",
      plainCase(flagged, { status: 500, reason: "D\u00e9sol\u00e9" }),
    ],
  ])("gives back %s as it is, and counts it as %s", async (_name, reason, one) => {
    const gated = `afterword_gates_total{route="message",reason="${reason}"}`;
    const label = reason === "no-flag" ? `afterword_decisions_total{reason="no-flag"}` : gated;
    const before = counterOf(label);
    await expectFaithful([one]);
    expect(counterOf(label)).toBe(before + 1);
  });

  it("edits behind a reason phrase in Latin-1", async () => {
    const { edited } = seen;
    await expectFaithful([plainCase(flagged, { reason: "D\u00e9j\u00e0 vu" })]);
    expect(seen.edited).toBe(edited + 1);
  });
});

function counterOf(label: string): number {
  const line = bench
    .metrics()
    .split("\n")
    .find((one) => one.startsWith(`${label} `));
  return Number(line?.slice(label.length) ?? 0);
}

function twentyMegabytes(flagged: string): Uint8Array {
  const padding = Buffer.alloc(20 * 1024 * 1024 - flagged.length, " ");
  return Buffer.concat([Buffer.from(flagged), padding]);
}
