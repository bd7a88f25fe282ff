import { expect, test } from "vitest";
import type { HandOver } from "../../../src/api/console-health.ts";
import { openBed, sayYes } from "../../escalation/hand-over/bed.ts";
import { ADMIN, PAUL, served } from "./console.ts";
import { flagged } from "../harness.ts";

test("an operator gives up a call that waits, with the admin token alone", async () => {
  const here = await openBed({
    settings: { identity: { ask: [] }, ladder: ["ticket"] },
    ticketing: "http://127.0.0.1:9",
    env: { AFTERWORD_ADMIN_TOKENS: `paul:publish:${PAUL}` },
  });
  await sayYes(await here.talk());
  const api = (headers: Record<string, string>, body?: object): Promise<Response> =>
    fetch(`${here.url}/_afterword/api/escalations`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "content-type": "application/json", ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  expect((await api({ authorization: `Bearer ${PAUL}` })).status).toBe(403);
  const { escalations } = (await (await api(here.asAdmin())).json()) as {
    escalations: readonly HandOver[];
  };
  expect(escalations).toMatchObject([{ calls: [{ kind: "ticket", epoch: 1 }] }]);
  const order = { conversation: escalations[0]?.conversation, kind: "ticket", epoch: 1 };
  expect((await api(here.asAdmin(), { ...order, settle: "burn" })).status).toBe(422);
  const settled = (await (
    await api(here.asAdmin(), { ...order, settle: "drop" })
  ).json()) as HandOver;
  expect(settled.calls.map(({ state }) => state)).toEqual(["refused"]);
  expect((await api(here.asAdmin(), { ...order, settle: "drop" })).status).toBe(409);
});

test("health counts flags that default content should have hidden", async () => {
  const { api, running } = await served({}, undefined, flagged("welcome"));
  const headers = { "content-type": "application/json", "x-afterword-instance": "bank" };
  const say = { method: "POST", headers, body: '{"message":"x"}' };
  await (await fetch(`${running.url}/conversation/message`, say)).arrayBuffer();
  expect((await api("health", { token: ADMIN })).body).toMatchObject({
    unexpected: [{ flag: "welcome", count: 1 }],
  });
});
