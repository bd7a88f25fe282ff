import { describe, expect, test } from "vitest";
import { ask, login, open, talk } from "../client.ts";

const shared = open();
const definition = {
  name: "After",
  pages: [{ id: 1, items: [{ id: 7, type: "text", subtype: "input" }] }],
  settings: [{ subtype: "url", value: "https://survey.example/7" }],
};

describe("a survey of case management", () => {
  test.each(["/v1", "/chatbot/v1"])("is read, begun and handed in once below %s", async (base) => {
    const { app } = await shared;
    const headers = await login(app);
    const { body: made } = await ask(app, "POST", "/ticketing/v1/surveys", headers, definition);
    const path = `${base}/surveys/${made.uuid}`;
    const url = "https://survey.example/7";
    expect((await ask(app, "GET", path, headers)).body).toEqual({
      id: made.uuid,
      name: "After",
      url,
    });
    const { body: started } = await ask(app, "GET", `${path}/start`, headers);
    expect(started.pages).toMatchObject(definition.pages);
    const form = {
      ...headers,
      "content-type": "application/x-www-form-urlencoded",
    };
    const submit = (body: string): ReturnType<typeof ask> =>
      ask(app, "POST", `${path}/submit`, form, body);
    const answers = `token=${started.token}&fieldAnswers[7]=fine`;
    expect((await submit(`token=${started.token}&fieldAnswers[8]=x`)).status).toBe(422);
    expect((await submit("token=guess&fieldAnswers[7]=fine")).status).toBe(404);
    expect((await submit(answers)).body).toEqual({ success: true });
    expect((await submit(answers)).status).toBe(409);
  });

  test("that is not there is 404", async () => {
    const { app } = await shared;
    const headers = await login(app);
    for (const path of ["/v1/surveys/99", "/v1/surveys/99/start", "/v1/surveys/x"]) {
      expect((await ask(app, "GET", path, headers)).status).toBe(404);
    }
  });
});

test("what a client knows of the reader is recorded with the conversation", async () => {
  const { app } = await shared;
  const { post } = await talk(app);
  const about = { data: { caller: "+34600000000", seconds: 42 } };
  expect(await post("/v1/tracking/session/user", about)).toMatchObject({
    status: 200,
    body: { success: true },
  });
  expect((await post("/v1/tracking/session/user", { data: "x".repeat(20_000) })).status).toBe(422);
});
