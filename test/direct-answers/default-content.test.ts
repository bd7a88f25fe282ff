import { describe, expect, it } from "vitest";
import {
  listActiveDefaultContent,
  isCalendarDate,
} from "../../src/direct-answers/default-content.ts";

const THREE = ["all-options-discarded", "no-results", "welcome"];

describe("default content", () => {
  it.each([
    ["2018-09-30", []],
    ["2018-10-01", THREE],
    ["2018-12-31", THREE],
    ["2019-03-01", THREE],
    ["2018-06-01", []],
    ["0001-01-01", []],
  ])("of an instance created on %s is %j", (created, active) => {
    expect(listActiveDefaultContent(created, {})).toEqual({ active, replaced: [], warning: null });
  });

  it("is inactive, with a warning, when the instance's creation date is missing", () => {
    const { active, warning } = listActiveDefaultContent(null, {});
    expect(active).toEqual([]);
    expect(warning).toContain("created is not set");
  });

  it.each([
    "2018-02-30",
    "2019-13-01",
    "2019-3-1",
    "01.03.2019",
    "2019-03-01T00:00:00Z",
    "later",
    "",
  ])("is inactive, with a warning, when %j is no date", (created) => {
    const { active, warning } = listActiveDefaultContent(created, {});
    expect(active).toEqual([]);
    expect(warning).toContain(JSON.stringify(created));
  });

  it("obeys a setting per flag over the date", () => {
    expect(listActiveDefaultContent("2019-03-01", { welcome: "inactive" }).active).toEqual([
      "all-options-discarded",
      "no-results",
    ]);
    expect(listActiveDefaultContent("2018-01-01", { welcome: "active" }).active).toEqual([
      "welcome",
    ]);
    expect(listActiveDefaultContent("2019-03-01", { welcome: undefined }).active).toEqual(THREE);
  });

  it("needs no date, and no warning, when every flag is set", () => {
    expect(
      listActiveDefaultContent(null, {
        welcome: "active",
        "no-results": "inactive",
        "all-options-discarded": "inactive",
      }),
    ).toEqual({
      active: ["welcome"],
      replaced: [],
      warning: null,
    });
  });

  it("is active where it is replaced, whatever the date", () => {
    for (const created of ["2018-01-01", "2019-03-01"]) {
      const { active, replaced } = listActiveDefaultContent(created, { "no-results": "replace" });
      expect(active).toContain("no-results");
      expect(replaced).toEqual(["no-results"]);
    }
    expect(listActiveDefaultContent("2019-03-01", { refinement: "replace" }).replaced).toEqual([]);
  });

  it("exists for three flags only", () => {
    expect(listActiveDefaultContent("2019-03-01", { refinement: "active" }).active).toEqual(THREE);
  });
});

it.each([
  ["2020-02-29", true],
  ["2019-02-29", false],
  ["2019-00-10", false],
  ["99999-01-01", false],
  [" 2019-01-01", false],
])("%s is a calendar date: %s", (text, date) => {
  expect(isCalendarDate(text)).toBe(date);
});
