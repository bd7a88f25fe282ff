// Suite: long
import { describe, expect, it } from "vitest";
import { freePort } from "../../fixtures/free-port.ts";
import { answerIn, startConversation, valueAt } from "../../clients/connectors/client.ts";
import { holding, remembering } from "./nodes.ts";
import { serveProcess, workspace, type Workspace } from "./processes.ts";
import { engineTexts, shippedTexts } from "../../clients/connectors/texts.ts";

const english = shippedTexts("en");

describe("a gateway", () => {
  it("that is killed and started again leaves clients with what they had: token, session and routes", async () => {
    const place = await workspace();
    const PORT = String(await freePort());
    const first = await serve(place, { PORT });
    const { say, get } = await startConversation(first.url, { lang: "en" });
    await say({ message: "" });
    await first.stop("SIGKILL");
    const second = await serve(place, { PORT });
    const answer = await remembering(second, async () => answerIn(await say({ message: "" })));
    expect(answer).toEqual({
      flags: ["no-question"],
      message: english["no-question"],
    });
    const history = (await get("conversation/history")).json();
    expect([0, 1].map((i) => valueAt(history, i, "message"))).toEqual([
      engineTexts("en")["welcome"],
      engineTexts("en")["no-question"],
    ]);
  });

  it("that is started again lets a conversation go on in its language", async () => {
    const french = shippedTexts("fr");
    const place = await workspace();
    const PORT = String(await freePort());
    const first = await serve(place, { PORT });
    const { say } = await startConversation(first.url, { lang: "fr" });
    await holding(first, "welcome")(answerIn(await say({ message: "" })).message, "fr");
    await first.stop();
    await serve(place, { PORT });
    await expect
      .poll(async () => answerIn(await say({ message: "" })).message)
      .toBe(french["no-question"]);
  });
});

function serve({ config }: Workspace, env: Readonly<Record<string, string>> = {}) {
  return serveProcess(["serve"], { env: { PORT: "0", AFTERWORD_CONFIG: config, ...env } });
}
