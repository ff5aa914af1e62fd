import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { builtOptions } from '../harness/built-options.ts'
import type { Goal, Row, Table } from '../harness/results.ts'
import { type Spread, spread } from '../harness/spread.ts'

const rounds = 12

/** How often as long as Node itself a platform may take, until it listens, and from then on until its first answer. */
const most = 8

const commands = ['start', 'dev'] as const
const program = fileURLToPath(
  import.meta.resolve('@signalbox/platform/package.json').replace('package.json', 'bin/signalbox.js'),
)

/** The times of a command, in milliseconds and as multiples of the time of Node in the same round. */
interface Times {
  readonly listening: number[]
  readonly toNode: number[]
  /** From listening on. */
  readonly answered: number[]
  readonly answeredToNode: number[]
}

/** Measures the time from a command to its first answer beside `node -e 0`, and the memory of an idle platform. */
export async function start(): Promise<Table> {
  const node: number[] = []
  const times = commands.map((): Times => ({ listening: [], toNode: [], answered: [], answeredToNode: [] }))
  for (let round = 0; round <= rounds; round++) {
    const alone = await timeOfNode()
    for (const [at, command] of commands.entries()) {
      const { listening, answered } = await timesOf(command)
      // The first round is for warming up.
      if (round === 0) continue
      times[at]!.listening.push(listening)
      times[at]!.toNode.push(listening / alone)
      times[at]!.answered.push(answered)
      times[at]!.answeredToNode.push(answered / alone)
    }
    if (round > 0) node.push(alone)
  }
  const memory = spread([await memoryAtRest()])
  return {
    name: 'platform-start',
    title: 'Platform: start, and rest',
    about:
      'Fresh processes, whose code was compiled by an earlier one. The configuration and the function are in TypeScript. Before a platform listens, it loads the function in an instance; the first request starts another one.',
    columns: [
      { key: 'listening', title: 'listening after', unit: 'ms' },
      { key: 'toNode', title: '× node -e 0', unit: 'ratio' },
      { key: 'answered', title: 'first answer after that', unit: 'ms' },
      { key: 'answeredToNode', title: '× node -e 0', unit: 'ratio' },
      { key: 'idle', title: 'memory at rest', unit: 'bytes' },
    ],
    rows: [
      {
        setup: 'start',
        contender: 'node -e 0, until it has ended',
        role: 'limit',
        figures: { listening: spread(node), toNode: spread([1]) },
      },
      ...commands.map((command, at) => rowOf(command, times[at]!, command === 'start' ? memory : undefined)),
    ],
    goals: [
      ...commands.flatMap((command, at) => goalsOf(command, times[at]!)),
      { goal: 'at rest under 100 MB', figure: memory, unit: 'bytes', reached: memory.median < 100e6 },
    ],
  }
}

function rowOf(command: string, times: Times, idle: Spread | undefined): Row {
  const figures = Object.fromEntries(Object.entries(times).map(([key, values]) => [key, spread(values)]))
  return {
    setup: 'start',
    contender: `signalbox ${command}`,
    role: 'ours',
    figures: { ...figures, ...(idle && { idle }) },
  }
}

function goalsOf(command: string, { toNode, answeredToNode }: Times): Goal[] {
  const goal = (what: string, values: readonly number[]): Goal => {
    const figure = spread(values)
    return {
      goal: `signalbox ${command} ${what} within ${most} × node -e 0`,
      figure,
      unit: 'ratio',
      reached: figure.median <= most,
    }
  }
  return [goal('listens', toNode), goal('answers first, from then on,', answeredToNode)]
}

async function timeOfNode(): Promise<number> {
  const began = performance.now()
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit')
  return performance.now() - began
}

async function timesOf(command: string): Promise<{ readonly listening: number; readonly answered: number }> {
  const began = performance.now()
  const { child, url } = await started(command)
  const listening = performance.now() - began
  const response = await fetch(url)
  if (response.status !== 200) throw new Error(`The first answer was ${response.status}`)
  const answered = performance.now() - began - listening
  await end(child)
  return { listening, answered }
}

async function memoryAtRest(): Promise<number> {
  const { child } = await started('start')
  await delay(2000)
  const memory = residentOf(child.pid!)
  await end(child)
  return memory
}

/** Starts a platform, and waits until it prints the URL of its load balancer. */
async function started(command: string): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, [...builtOptions, program, command, '--json'], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const { kind, url } = JSON.parse(line) as { readonly kind: string; readonly url: string }
    if (kind !== 'address') continue
    // What follows is not read.
    child.stdout.resume()
    return { child, url }
  }
  throw new Error(`signalbox ${command} has no address`)
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`The platform ended with ${code}`)
}

/** Returns the resident memory of a process in bytes. It works only on Linux. */
function residentOf(pid: number): number {
  const kilobytes = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) * 1024
}
