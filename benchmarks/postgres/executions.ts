import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresServer } from '@signalbox/platform-postgres/testing/postgres-server'
import pg from 'pg'
import type { Table } from '../harness/results.ts'
import { executionsTable, type MeasuredRound } from '../platform/executions-table.ts'
import { result, runExecutions, steps, together, waitingExecutions } from '../platform/running-executions.ts'
import { removeDeadRows, serverSettings } from './server.ts'

const rounds = 5
/** The connections of the platform, which has as many by default, and of the statements by hand. */
const connections = 10

/** Measures executions in PostgreSQL beside the same statements by hand. */
export async function executions(): Promise<Table> {
  const server = await postgresServer(serverSettings)
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'))
  try {
    const measured: MeasuredRound[] = []
    // The first round is for warming up.
    for (let round = 0; round <= rounds; round++) {
      const alone = await byHand(server.url, `by_hand_${round}`)
      const schema = `box_${round}`
      const where = {
        dataDir: mkdtempSync(join(folder, 'box-')),
        storage: { postgres: { url: server.url, schema, connections } },
      }
      await removeDeadRows(server.url)
      const platform = await runExecutions(where)
      const perSecond = await platform.perSecond()
      const late = await platform.lateness()
      const waitingId = await platform.startWaiting()
      const idle = await platform.idle()
      await platform.stop()
      await multiply(server.url, schema, waitingId)
      await removeDeadRows(server.url)
      const crowded = await runExecutions(where)
      const crowdedIdle = await crowded.idle()
      const crowdedLate = await crowded.lateness()
      await crowded.stop()
      if (round > 0) measured.push({ alone, perSecond, late, idle, crowdedIdle, crowdedLate })
      await withClient(server.url, 'public', client => client.query(`drop schema ${schema} cascade`))
    }
    return executionsTable(measured, {
      name: 'postgres-executions',
      title: 'PostgreSQL: executions of a durable function',
      about: `The same statements by hand are a transaction for each step, with as many connections (${connections}) and executions at a time.`,
      alone: 'the statements by hand',
      least: 0.6,
    })
  } finally {
    await server.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function withClient<T>(
  url: string,
  schema: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Copies the rows of an execution that waits, while no platform uses them. */
async function multiply(url: string, schema: string, id: string): Promise<void> {
  const columns = {
    executions: 'id, function, name, status, started_at, ended_at, data',
    execution_operations: 'execution, id, number, parent, changed, due_at, hidden, data',
    execution_history: 'execution, number, data',
    execution_work: 'queue, key, owner, data, put_at, due_at, tries',
  }
  const keys: { readonly [table: string]: string } = { executions: 'id', execution_work: 'key' }
  await withClient(url, schema, async client => {
    for (const [table, names] of Object.entries(columns)) {
      const values = names
        .split(', ')
        .map(name =>
          /_at$|^(number|changed|hidden|tries)$/.test(name) ? name : `replace(t.${name}, $1, c.id)`,
        )
      const { rowCount } = await client.query(
        `insert into ${table} (${names}) select ${values.join(', ')} from ${table} t,
           (select lpad(n::text, 8, '0') || substr($1, 9) as id from generate_series(1, $2::integer) n) c
         where t.${keys[table] ?? 'execution'} = $1`,
        [id, waitingExecutions],
      )
      if ((rowCount ?? 0) < waitingExecutions) throw new Error(`${table} has no rows of ${id}`)
    }
  })
}

const table = `create table executions (id text primary key, data text not null);
create table operations (execution text not null, id text not null, data text not null, primary key (execution, id));
create table history (execution text not null, number integer not null, data text not null, primary key (execution, number))`

const statements = {
  read: { name: 'read', text: 'select data from executions where id = $1 for update' },
  update: { name: 'update', text: 'update executions set data = $2 where id = $1' },
  operation: { name: 'operation', text: 'insert into operations (execution, id, data) values ($1, $2, $3)' },
  events: {
    name: 'events',
    text: 'insert into history (execution, number, data) values ($1, $2, $4), ($1, $3, $4)',
  },
} as const

/** Writes steps of executions, each in a transaction of its own. Returns the steps per second. */
async function byHand(url: string, schema: string): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: connections, options: `-c search_path=${schema}` })
  await pool.query(`create schema ${schema}`)
  await pool.query(table)
  const data = 'x'.repeat(700)
  const execution = async (id: string) => {
    await pool.query('insert into executions (id, data) values ($1, $2)', [id, data])
    for (let at = 0; at < steps; at++) {
      const client = await pool.connect()
      await client.query('begin')
      await client.query({ ...statements.read, values: [id] })
      await client.query({ ...statements.update, values: [id, data] })
      await client.query({ ...statements.operation, values: [id, `s${at}`, result] })
      await client.query({ ...statements.events, values: [id, 2 * at, 2 * at + 1, result] })
      await client.query('commit')
      client.release()
    }
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: together }, (_, number) => execution(`${number}`)))
  const figure = (together * steps * 1000) / (performance.now() - started)
  await pool.end()
  return figure
}
