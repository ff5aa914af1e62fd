import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createPlatform } from '@signalbox/platform'
import type { Row, Table } from '../harness/results.ts'
import { spread } from '../harness/spread.ts'

const rounds = 5
/** The executions that run at the same time, and the steps of each. */
const together = 16
const steps = 100
/** The executions whose waits are measured in a round. */
const waits = 100
const result = JSON.stringify({ order: '1001', country: 'DE', parcels: 1, status: 'paid' })

interface DurableEvent {
  readonly DurableExecutionArn: string
  readonly CheckpointToken: string
  readonly InitialExecutionState: {
    readonly Operations: readonly { readonly Status: string; readonly StartTimestamp: number }[]
  }
}

/** Measures steps of executions per second beside SQLite alone, and how late a wait ends. */
export async function executions(): Promise<Table> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'))
  try {
    const alone: number[] = []
    const ours: number[] = []
    const ratios: number[] = []
    const late: number[] = []
    // The first round is for warming up.
    for (let round = 0; round <= rounds; round++) {
      const limit = sqliteAlone(mkdtempSync(join(folder, 'alone-')))
      const platform = await running(mkdtempSync(join(folder, 'box-')))
      const figure = await platform.perSecond()
      const lateness = await platform.lateness()
      await platform.stop()
      if (round === 0) continue
      alone.push(limit)
      ours.push(figure)
      ratios.push(figure / limit)
      late.push(lateness)
    }
    return tabulate(alone, ours, ratios, late)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function tabulate(
  alone: readonly number[],
  ours: readonly number[],
  ratios: readonly number[],
  late: readonly number[],
): Table {
  const work = `${together} executions at a time, ${steps} steps each`
  const ratio = spread(ratios)
  const lateness = spread(late)
  const row = (contender: string, role: Row['role'], figures: Row['figures'], setup = work): Row => ({
    ...{ setup, contender, role, figures },
  })
  return {
    name: 'executions',
    title: 'Platform: executions of a durable function',
    about:
      'A function in this process makes a checkpoint over HTTP for each step, and goes on when it is on the disk. SQLite alone does the same statements one after the other, with a commit for each step. The platform shares a commit among executions. A wait of a second is late by the time from its end until the function runs.',
    columns: [
      { key: 'perSecond', title: 'steps', unit: 'per second' },
      { key: 'ratio', title: '× the first', unit: 'ratio' },
      { key: 'late', title: 'late, p99', unit: 'ms' },
    ],
    rows: [
      row('SQLite alone', 'limit', { perSecond: spread(alone), ratio: spread(alone.map(() => 1)) }),
      row('Signalbox', 'ours', { perSecond: spread(ours), ratio }),
      row('Signalbox', 'ours', { late: lateness }, `${waits} waits of a second`),
    ],
    goals: [
      {
        goal: 'steps of executions at least 0.5 × SQLite alone',
        figure: ratio,
        unit: 'ratio',
        reached: ratio.median >= 0.5,
        reason: 'A request over HTTP for each step, with the token, the checks and the answer.',
      },
      {
        goal: 'from a due wait to its invocation p99 under 250 ms',
        figure: lateness,
        unit: 'ms',
        reached: lateness.median < 250,
        reason: `${waits} waits end at the same moment, and each is a transaction of its own before its function runs.`,
      },
    ],
  }
}

/** Starts a platform with a function that makes steps, and with one that waits. */
async function running(dataDir: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  let url = ''
  let ended = () => {}
  let left = 0
  const lateness: number[] = []
  const post = (path: string, body: object, headers = {}) =>
    send(agent, url + path, JSON.stringify(body), headers)
  const checkpoint = (arn: string, CheckpointToken: string, update: object) =>
    post(`/2025-12-01/durable-executions/${encodeURIComponent(arn)}/checkpoint`, {
      CheckpointToken,
      Updates: [update],
    })
  const end = () => {
    left--
    if (left === 0) ended()
    return { Status: 'SUCCEEDED', Result: '1' }
  }
  const work = async ({ DurableExecutionArn, CheckpointToken }: DurableEvent) => {
    let token = CheckpointToken
    for (let at = 0; at < steps; at++) {
      const update = { Id: `s${at}`, Name: 'step', Type: 'STEP', Action: 'SUCCEED', Payload: result }
      token = (await checkpoint(DurableExecutionArn, token, update)).CheckpointToken
    }
    return end()
  }
  const rest = async ({ DurableExecutionArn, CheckpointToken, InitialExecutionState }: DurableEvent) => {
    const [, wait] = InitialExecutionState.Operations
    if (wait?.Status === 'SUCCEEDED') {
      lateness.push(Date.now() - wait.StartTimestamp - 1000)
      return end()
    }
    await checkpoint(DurableExecutionArn, CheckpointToken, {
      ...{ Id: 'w', Type: 'WAIT', Action: 'START', WaitOptions: { WaitSeconds: 1 } },
    })
    return { Status: 'PENDING' }
  }
  const durable = { timeout: 3600 }
  const platform = createPlatform(
    {
      functions: {
        work: { handler: work as never, durable, instances: together, timeout: 300 },
        rest: { handler: rest as never, durable, instances: waits },
      },
      invoke: { port: 0 },
      dataDir,
    },
    { onNotice: text => console.error(text) },
  )
  const [address] = await platform.start()
  url = address!.url
  const all = async (name: string, count: number) => {
    const finished = new Promise<void>(resolve => {
      ended = resolve
    })
    left = count
    const started = performance.now()
    await Promise.all(
      Array.from({ length: count }, () =>
        post(`/2015-03-31/functions/${name}/invocations`, {}, { 'x-amz-invocation-type': 'Event' }),
      ),
    )
    await finished
    return performance.now() - started
  }
  return {
    perSecond: async () => (together * steps * 1000) / (await all('work', together)),
    async lateness() {
      await all('rest', waits)
      const sorted = lateness.toSorted((a, b) => a - b)
      return Math.max(0, sorted[Math.ceil(sorted.length * 0.99) - 1]!)
    },
    async stop() {
      await platform.stop()
      agent.destroy()
    },
  }
}

/** Sends a request and returns the answer, as JSON. */
function send(
  agent: Agent,
  url: string,
  body: string,
  headers: object,
): Promise<{ readonly CheckpointToken: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method: 'POST', headers: { ...headers } }, response => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.on('end', () => {
        if (response.statusCode! < 300) resolve(text === '' ? {} : JSON.parse(text))
        else reject(new Error(`${response.statusCode} ${text}`))
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
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
