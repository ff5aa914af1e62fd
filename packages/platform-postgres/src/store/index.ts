// This entry point is for functions. It does not load the platform.
export { type PostgresLike, type PostgresStoreOptions, postgresStore } from './postgres-store.ts'
