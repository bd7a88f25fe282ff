import { expect, it } from "vitest";
import { actionFieldOf } from "../../../src/backend/chatbot/form-lines.ts";
import { field } from "./form-states.ts";

it("a list shows its choices, each label in an array", () => {
  const values = [{ label: "My order", value: "o" }];
  expect(
    actionFieldOf(field("topic", { type: "list", values, display: "dropdown", variable: "t" })),
  ).toEqual({
    fieldType: "list",
    disableInput: false,
    actionFieldId: "topic",
    variableName: "t",
    listValues: { displayType: "dropdown", values: [{ label: ["My order"], option: "My order" }] },
  });
});

it("a date shows a date picker", () => {
  expect(actionFieldOf(field("day", { type: "date" }))).toEqual({
    fieldType: "datePicker",
    disableInput: false,
    actionFieldId: "day",
    variableName: "day",
  });
});

it.each(["text", "number", "email", "file"] as const)("a %s shows an ordinary input", (type) => {
  expect(actionFieldOf(field("x", { type })).fieldType).toBe("default");
});
