import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { systemClock } from '@signalbox/core'
import { localStore } from '@signalbox/platform-queue/testing/parts'
import { systemRandom } from '@signalbox/platform-runtime'
import type { Table } from '../harness/results.ts'
import { dwellTable } from './dwell.ts'

/** Measures how long messages of a quiet group stay in a queue on SQLite beside the backlog of a noisy one. */
export async function fairQueue(): Promise<Table> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'))
  let stores = 0
  try {
    return await dwellTable(
      { name: 'fair-queue', title: 'Platform: a quiet group beside a noisy one' },
      async () =>
        localStore(new DatabaseSync(join(folder, `queues-${stores++}.sqlite`)), systemClock, systemRandom),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
