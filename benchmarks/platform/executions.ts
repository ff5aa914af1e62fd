import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Table } from '../harness/results.ts'
import { executionsTable, type MeasuredRound } from './executions-table.ts'
import { result, runExecutions, steps, together, waitingExecutions } from './running-executions.ts'

const rounds = 5

/** Measures steps of executions per second beside SQLite alone, how late a wait ends, and what waiting executions cost. */
export async function executions(): Promise<Table> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'))
  try {
    const measured: MeasuredRound[] = []
    // The first round is for warming up.
    for (let round = 0; round <= rounds; round++) {
      const alone = sqliteAlone(mkdtempSync(join(folder, 'alone-')))
      const dataDir = mkdtempSync(join(folder, 'box-'))
      const platform = await runExecutions({ dataDir })
      const perSecond = await platform.perSecond()
      const late = await platform.lateness()
      const waitingId = await platform.startWaiting()
      const idle = await platform.idle()
      await platform.stop()
      multiply(join(dataDir, 'executions.sqlite'), waitingId)
      const crowded = await runExecutions({ dataDir })
      const crowdedIdle = await crowded.idle()
      const crowdedLate = await crowded.lateness()
      await crowded.stop()
      rmSync(dataDir, { recursive: true })
      if (round > 0) measured.push({ alone, perSecond, late, idle, crowdedIdle, crowdedLate })
    }
    return executionsTable(measured, {
      name: 'executions',
      title: 'Platform: executions of a durable function',
      about:
        'SQLite alone does the same statements one after the other, with a commit for each step. The platform shares a commit among executions.',
      alone: 'SQLite alone',
      least: 0.5,
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Copies the rows of an execution that waits, in a database that no platform uses. */
function multiply(path: string, id: string): void {
  const database = new DatabaseSync(path)
  const columns = {
    executions: 'id, function, name, status, started_at, ended_at, data',
    operations: 'execution, id, number, parent, changed, due_at, hidden, data',
    history: 'execution, number, data',
    work: 'queue, key, owner, data, put_at, due_at, tries',
  }
  database.exec('begin; create temp table copies (id text)')
  database
    .prepare(
      `insert into copies with recursive n (i) as (select 1 union all select i + 1 from n where i < ?)
       select printf('%08d', i) || substr(?, 9) from n`,
    )
    .run(waitingExecutions, id)
  for (const [table, names] of Object.entries(columns)) {
    const values = names
      .split(', ')
      .map(name =>
        /_at$|^(number|changed|hidden|tries)$/.test(name) ? name : `replace(t.${name}, $id, c.id)`,
      )
    const key = { executions: 'id', operations: 'execution', history: 'execution', work: 'key' }[table]
    const written = database
      .prepare(
        `insert into ${table} (${names}) select ${values.join(', ')} from copies c, ${table} t where t.${key} = $id`,
      )
      .run({ $id: id })
    if (Number(written.changes) < waitingExecutions) throw new Error(`${table} has no rows of ${id}`)
  }
  database.exec('commit')
  database.close()
}

/** Writes steps of executions, each in a transaction of its own. Returns the steps per second. */
function sqliteAlone(folder: string): number {
  const database = new DatabaseSync(join(folder, 'alone.sqlite'))
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  database.exec(`create table executions (id text primary key, data text not null) strict;
    create table operations (execution text not null, id text not null, data text not null, primary key (execution, id)) strict, without rowid;
    create table history (execution text not null, number integer not null, data text not null, primary key (execution, number)) strict, without rowid`)
  const insert = database.prepare('insert into executions (id, data) values (?, ?)')
  const read = database.prepare('select data from executions where id = ?')
  const update = database.prepare('update executions set data = ? where id = ?')
  const operation = database.prepare('insert into operations (execution, id, data) values (?, ?, ?)')
  const event = database.prepare('insert into history (execution, number, data) values (?, ?, ?)')
  const data = 'x'.repeat(700)
  const started = performance.now()
  for (let number = 0; number < together; number++) insert.run(`${number}`, data)
  for (let at = 0; at < steps; at++)
    for (let number = 0; number < together; number++) {
      const id = `${number}`
      database.exec('begin immediate')
      read.get(id)
      update.run(data, id)
      operation.run(id, `s${at}`, result)
      event.run(id, 2 * at, result)
      event.run(id, 2 * at + 1, result)
      database.exec('commit')
    }
  const figure = (together * steps * 1000) / (performance.now() - started)
  database.close()
  return figure
}
