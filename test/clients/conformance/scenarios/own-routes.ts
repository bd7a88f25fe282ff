import { expect } from "vitest";
import { secrets } from "../configuration.ts";
import { jsonOf, textOf, valueOf } from "../exchange.ts";
import { type Area, askMessage, engine, flagged, question } from "../scenario.ts";

const token = secrets.AFTERWORD_ADMIN_TOKEN;
const admin = ["Authorization", `Bearer ${token}`];

export const ownRoutes: Area = {
  name: "a route of our own",
  scenarios: [
    {
      name: "says that it is alive, ready, and which version runs",
      async run({ client }) {
        expect(jsonOf(await client.ask({ target: "/_afterword/health" }))).toEqual({
          status: "ok",
        });
        expect(jsonOf(await client.ask({ target: "/_afterword/ready" }))).toMatchObject({
          status: "ready",
        });
        const version = await client.ask({ target: "/_afterword/version" });
        expect(jsonOf(version)).toMatchObject({
          version: expect.any(String),
          snapshot: expect.stringMatching(/^[0-9a-f]{64}$/),
        });
        expect(valueOf(version, "cache-control")).toBe("no-store");
      },
    },
    {
      name: "for admins does not exist without the token",
      async run({ client }) {
        for (const target of ["/_afterword/metrics", "/_afterword/coverage"]) {
          expect((await client.ask({ target })).status).toBe(404);
          expect(
            (await client.ask({ target, headers: ["Authorization", "Bearer wrong"] })).status,
          ).toBe(404);
          expect((await client.ask({ target, headers: admin })).status).toBe(200);
        }
      },
    },
    {
      name: "counts what was said",
      async run(bed) {
        await askMessage(bed);
        const metrics = textOf(
          await bed.client.ask({ target: "/_afterword/metrics", headers: admin }),
        );
        expect(metrics).toMatch(/afterword_rewrites_total\{[^}]*no-results[^}]*\} [1-9]/);
      },
    },
    {
      name: "explains a body that it is given",
      async run({ client }) {
        const answer = await client.ask({
          method: "POST",
          target: "/_afterword/explain?instance=fixed&locale=fr",
          headers: admin,
          body: flagged("welcome"),
        });
        expect(textOf(answer)).toContain("Bonjour de notre part !");
      },
    },
    {
      name: "is the trace beside an answer, for whoever has the token",
      async run(bed) {
        const debug = question({ headers: ["x-afterword-debug", `Bearer ${token}`] });
        const trace = valueOf(
          await askMessage(bed, engine(flagged("welcome")), debug),
          "x-afterword-trace",
        );
        expect(JSON.parse(trace ?? "")).toMatchObject({ instance: "fixed", locale: "en" });
        const wrong = question({ headers: ["x-afterword-debug", "Bearer wrong"] });
        expect(valueOf(await askMessage(bed, engine(), wrong), "x-afterword-trace")).toBeNull();
      },
    },
  ],
};
