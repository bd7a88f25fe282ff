export interface MigrationTables {
  afterword_migrations: MigrationTable;
}

/** What has been done to this database. */
export interface MigrationTable {
  name: string;
  /** Milliseconds since the epoch. */
  applied: number;
}
