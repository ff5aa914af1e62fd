/** The options of a PostgreSQL database that keeps the platform's data. */
export interface PostgresOptions {
  /** A connection string, such as `postgres://user:password@host:5432/database`. */
  readonly url: string
  /** The schema of the tables. The platform creates it. */
  readonly schema: string
  /** The maximum number of connections of this process, not counting the one that listens for notifications. */
  readonly connections: number
}
