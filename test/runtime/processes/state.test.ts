// Suite: long
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { begin, expectAnswer, nodes, remembering, readAnswer } from "./nodes.ts";
import type { Server } from "./processes.ts";
import { shippedTexts } from "../../clients/connectors/texts.ts";

const nothingIn = (locale: string): string | undefined => shippedTexts(locale)["no-results"];

describe("several gateways with one state file", () => {
  it("keep a conversation's language on each other, and over kill -9 and a restart", async () => {
    const { node } = await nodes("file");
    const [a, b] = [await node(), await node()];
    const session = await begin(a, "fr");
    await expectAnswer(a, session, "fr");
    await expectAnswer(b, session, "fr");
    const { code } = await a.stop("SIGKILL");
    expect(code).toBeNull();
    const again = await node();
    await expectAnswer(again, session, "fr");
    await expectAnswer(b, session, "fr");
  });

  it("keep what was said last before both are killed", async () => {
    const { node } = await nodes("file");
    const [a, b] = [await node(), await node()];
    // Each is in the file before its answer, unless that took too long, which the gateway counts.
    const inTime = (server: Server, locale: string): Promise<string> =>
      remembering(server, () => begin(server, locale));
    const sessions = [await inTime(a, "ja"), await inTime(b, "ar"), await inTime(a, "fr")];
    await Promise.all([a.stop("SIGKILL"), b.stop("SIGKILL")]);
    const again = await node();
    for (const [i, locale] of ["ja", "ar", "fr"].entries()) {
      await expectAnswer(again, sessions[i] ?? "", locale);
    }
  });

  it("speak the instance's language where nobody knows the conversation", async () => {
    const { node } = await nodes("file");
    const server = await node();
    const answer = await remembering(server, () => readAnswer(server, "unknown"));
    expect(answer).toBe(nothingIn("en"));
  });

  it("stop at once, leaving one closed file", async () => {
    const { node, place } = await nodes("file");
    const server = await node();
    await begin(server, "fr");
    expect((await server.stop()).code).toBe(0);
    expect(await readdir(join(place.path, "config", ".afterword"))).toEqual([
      "route-key",
      "state.db",
    ]);
    expect(server.stderr()).not.toContain("Warning");
  });

  it("do not start on a file that is damaged, and leave it as it is", async () => {
    const { node, place } = await nodes("file");
    const data = join(place.path, "config", ".afterword");
    await mkdir(data, { recursive: true });
    await writeFile(join(data, "state.db"), "damaged".repeat(1000));
    await expect(node()).rejects.toThrow(
      /ended before it listened \(1\): \S+state\.db is damaged/u,
    );
    expect(await readFile(join(data, "state.db"), "utf8")).toBe("damaged".repeat(1000));
  });
});

describe("a gateway whose state is in memory", () => {
  it("forgets with its process, and writes nothing", async () => {
    const { node, place } = await nodes("memory");
    const server = await node();
    const session = await begin(server, "fr");
    await expectAnswer(server, session, "fr");
    await server.stop("SIGKILL");
    expect(await readAnswer(await node(), session)).toBe(nothingIn("en"));
    expect(await readdir(join(place.path, "config", ".afterword"))).toEqual(["route-key"]);
  });
});
