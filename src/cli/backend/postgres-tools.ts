import { formatForCommand } from "../../storage/postgres/explain.ts";
import { createArgumentError } from "../command/arguments.ts";
import { quoteShell } from "../../text.ts";

/** Creates the error that names PostgreSQL's own command for the task, without the password. */
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
  return createArgumentError(command, `PostgreSQL has its own program for this: ${instead}`);
}
