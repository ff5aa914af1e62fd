import { postgresServer } from '@signalbox/platform-postgres/testing/postgres-server'
import type { Table } from '../harness/results.ts'
import { dwellTable } from '../platform/dwell.ts'
import { serverSettings } from './server.ts'
import { openQueues } from './signalbox.ts'

/** Measures how long messages of a quiet group stay in a queue in PostgreSQL beside the backlog of a noisy one. */
export async function fairQueue(): Promise<Table> {
  const server = await postgresServer(serverSettings)
  let schemas = 0
  try {
    return await dwellTable(
      { name: 'postgres-fair-queue', title: 'PostgreSQL: a quiet group beside a noisy one' },
      async () => {
        const { store, close } = await openQueues(server.url, `dwell_${schemas++}`)
        return { ...store, close }
      },
    )
  } finally {
    await server.end()
  }
}
