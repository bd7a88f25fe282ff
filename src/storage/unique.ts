// SQLite: SQLITE_CONSTRAINT_UNIQUE, SQLITE_CONSTRAINT_PRIMARYKEY. PostgreSQL: unique_violation.
const sqliteCodes: readonly unknown[] = [2067, 1555];
const postgresCode = "23505";

/** True for a statement that failed on a unique constraint. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    ("errcode" in error && sqliteCodes.includes(error.errcode)) ||
    ("code" in error && error.code === postgresCode)
  );
}
