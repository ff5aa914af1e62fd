import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { builtOptions } from '../harness/built-options.ts'
import type { Table } from '../harness/results.ts'
import { spread } from '../harness/spread.ts'

const starts = 10
const command = fileURLToPath(
  import.meta.resolve('@signalbox/platform/package.json').replace('package.json', 'bin/signalbox.js'),
)

/** Measures the time from `signalbox start` to the first answer, and the memory of an idle platform. */
export async function start(): Promise<Table> {
  const listening: number[] = []
  const answered: number[] = []
  const idle: number[] = []
  for (let i = 0; i < starts; i++) {
    const began = performance.now()
    const child = spawn(process.execPath, [...builtOptions, command, 'start', '--json'], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
    listening.push(performance.now() - began)
    // The memory is measured before the first request, after a short pause.
    const resting = i === 0 ? await delay(2000).then(() => residentOf(child.pid!)) : undefined
    if (resting !== undefined) idle.push(resting)
    const paused = resting === undefined ? 0 : 2000
    const response = await fetch((JSON.parse(line.split('\n')[0]!) as { url: string }).url)
    if (response.status !== 200) throw new Error(`The first answer was ${response.status}`)
    answered.push(performance.now() - began - paused)
    child.kill('SIGTERM')
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0) throw new Error(`signalbox start ended with ${code}`)
  }
  const [slow, memory] = [spread(answered), spread(idle)]
  return {
    name: 'platform-start',
    title: 'Platform: start, and rest',
    about:
      'signalbox start in a fresh process; the first request also starts the first instance of the function.',
    columns: [
      { key: 'listening', title: 'listening after', unit: 'ms' },
      { key: 'answered', title: 'first answer after', unit: 'ms' },
      { key: 'idle', title: 'memory at rest', unit: 'bytes' },
    ],
    rows: [
      {
        setup: 'start',
        contender: 'Signalbox',
        role: 'ours',
        figures: { listening: spread(listening), answered: slow, idle: memory },
      },
    ],
    goals: [
      { goal: 'first answer in under a second', figure: slow, unit: 'ms', reached: slow.median < 1000 },
      { goal: 'at rest under 100 MB', figure: memory, unit: 'bytes', reached: memory.median < 100e6 },
    ],
  }
}

/** Returns the resident memory of a process in bytes. It works only on Linux. */
function residentOf(pid: number): number {
  const kilobytes = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) * 1024
}
