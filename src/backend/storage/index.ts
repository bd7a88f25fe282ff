/** Storage's door: a SQLite file in a thread of its own, or PostgreSQL, behind the same ports. */
export { openStorage } from "./open-storage.ts";
export type { StorageOptions } from "./open-storage.ts";
export { openDatabase } from "./open-database.ts";
export type { BatchOptions, DatabaseHandle, DialectName } from "./database-handle.ts";
export { migrate } from "./migrations/migrate.ts";
export type { MigrateOptions, MigrationStep } from "./migrations/migrate.ts";
export type { Migration } from "./migrations/migration.ts";
export { columnTypes } from "./migrations/column-types.ts";
export type { ColumnTypes } from "./migrations/column-types.ts";
export type { Database } from "./tables/database.ts";
export { isPostgresAddress } from "./postgres/address.ts";
export { isUniqueViolation } from "./unique.ts";
export { storable } from "./storable.ts";
export { STORAGE_LIMITS } from "./types.ts";
