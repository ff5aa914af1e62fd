import { afterAll, beforeAll } from '@jest/globals'
import pg from 'pg'
import type { PostgresOptions } from '../postgres-options.ts'
import { type PostgresServer, postgresServer } from './postgres-server.ts'

/** Starts one server for a test file. Every call of `options` selects a new schema on it. */
export function testServer(settings?: readonly string[]) {
  let server: PostgresServer
  let number = 0
  beforeAll(async () => {
    server = await postgresServer(settings)
  })
  afterAll(() => server.end())
  return {
    get server() {
      return server
    },
    options: (more: Partial<PostgresOptions> = {}): PostgresOptions => ({
      url: server.url,
      schema: `test_${number++}`,
      connections: 4,
      ...more,
    }),
    /** Runs a statement as an administrator. */
    async query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]> {
      const client = new pg.Client({ connectionString: server.url })
      await client.connect()
      try {
        return (await client.query(text, values)).rows
      } finally {
        await client.end()
      }
    },
  }
}
