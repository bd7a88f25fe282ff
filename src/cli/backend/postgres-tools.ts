import { formatForCommand } from "../../storage/postgres/explain.ts";
import { createArgumentError } from "../command/arguments.ts";
import { quoteShell } from "../../text.ts";

/** Names PostgreSQL's own command for the task; the password is left out. */
export function refusePostgres(
  command: "backend backup" | "backend restore",
  database: string,
  file: string,
): Error {
  const address = quoteShell(formatForCommand(database));
  const instead =
    command === "backend backup"
      ? `pg_dump --format=custom --file=${quoteShell(file)} ${address}`
      : `pg_restore --clean --if-exists --no-owner --single-transaction --dbname=${address} ${quoteShell(file)}`;
  return createArgumentError(command, `PostgreSQL brings its own program for this: ${instead}`);
}
