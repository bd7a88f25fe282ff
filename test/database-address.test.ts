import { describe, expect, it } from "vitest";
import { findDatabaseFault } from "../src/database-address.ts";
import { checkConfig } from "../src/config/check/check.ts";
import { formatDiagnostics } from "../src/yaml/format-diagnostics.ts";
import { join } from "node:path";
import { load, MINIMAL, workspace } from "./config/workspace.ts";

describe("the address of a database", () => {
  it.each([
    ["postgress://u:hunter2@db/x", 'Did you mean "postgres://…"?'],
    ["POSTGRE://u:hunter2@db/x", 'Did you mean "postgres://…"?'],
    ["postgres:/u:hunter2@db/x", 'Did you mean "postgres://…"?'],
    ["mysql://u:hunter2@db/x", "Name a SQLite file"],
    ["https://u:hunter2@db/x", "Name a SQLite file"],
    ["sqlite://./x.db", "by its path alone"],
    ["file:///x.db", "by its path alone"],
    ["postgres://u:hunter2@db/x?sslmod=verify-full", 'Did you mean "sslmode"?'],
    ["postgres://u:hunter2@db/x?application_name=a&SSLMODE=require", 'Did you mean "sslmode"?'],
    ["postgres://u:hunter2@db/x?sslrotcert=ca.pem", 'Did you mean "sslrootcert"?'],
  ])("%s is refused with what was meant, and without its password", (address, cure) => {
    const fault = findDatabaseFault(address);
    expect(fault).toContain(cure);
    expect(fault).not.toContain("hunter2");
  });

  it.each([
    "x.db",
    "./a:b/x.db",
    "C:/data/x.db",
    "C:\\data\\x.db",
    ":memory:",
    "PostgreSQL://db/x",
    "postgres://db/x?ssl=true&sslmode=verify-full&sslrootcert=ca.pem&sslcert=c.pem&sslkey=k.pem",
    "postgres://db/x?host=/run/postgresql&port=5433&options=-c%20a%3Db&sslnegotiation=direct",
  ])("%s is taken", (address) => {
    expect(findDatabaseFault(address)).toBeNull();
  });

  it.each([
    ["postgress://u:hunter2/@db/x", '"postgress:" is no scheme of a database'],
    ["postgres://u:hunter2@db/x?sslmod=require", '"sslmod" is no parameter'],
  ])(
    "%s has its place in the file when it is refused, and its password nowhere",
    async (address, fault) => {
      const file = `${MINIMAL}backend: { database: "${address}" }\n`;
      const directory = await workspace({ "afterword.yaml": file });
      const checked = await checkConfig(join(directory, "afterword.yaml"));
      const report = formatDiagnostics(checked.diagnostics, "text");
      expect(report).toContain(`afterword.yaml:3:12: error: ${fault}`);
      expect(report).not.toContain("hunter2");
    },
  );

  it("is PostgreSQL's in any letter case", async () => {
    const config = await load({
      "afterword.yaml": `${MINIMAL}backend: { database: "POSTGRES://db/x" }\n`,
    });
    expect(config.backend.database).toBe("POSTGRES://db/x");
  });
});
