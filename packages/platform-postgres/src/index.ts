export { DatabaseUnavailableError } from './database-error.ts'
export { postgresEngine } from './postgres-engine.ts'
export type { PostgresOptions } from './postgres-options.ts'
