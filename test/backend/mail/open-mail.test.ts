import { expect, test } from "vitest";
import { createReportedRound } from "../../../src/backend/mail/open-mail.ts";

test("a mailbox's fault is reported once while it lasts, and again when it returns", async () => {
  let fault: string | null = "refused";
  const reports: string[] = [];
  const round = createReportedRound(
    async () => {
      if (fault !== null) throw new Error(fault);
    },
    (reason) => reports.push(reason),
  );
  await round();
  await round();
  fault = "silent";
  await round();
  expect(reports).toEqual(["Error: refused", "Error: silent"]);
  fault = null;
  await round();
  fault = "silent";
  await round();
  expect(reports).toEqual(["Error: refused", "Error: silent", "Error: silent"]);
});
