// A function that attacks its process, or the channel to the platform, as its event requests.
import { fork, spawn, spawnSync } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import fs from 'node:fs'

interface HostileEvent {
  readonly do: string
  readonly descriptor: number
  /** The bytes to write, in Base64. */
  readonly bytes: string
  readonly id: unknown
  readonly text?: string
  /** When an error is thrown after the answer, in milliseconds; by default while the next event waits. */
  readonly ms?: number
}

const never = () => new Promise(() => {})
const later = (ms: number, task: () => unknown) => void setTimeout(task, ms)
const nextWaits = new EventEmitter()
/** Runs a task, in the context of the present event, when the next event has begun to wait. */
const whileNextWaits = (task: () => unknown) => void once(nextWaits, 'wait').then(() => later(10, task))
const outside = new EventEmitter()
// The timer starts while the module is loaded, so that its output belongs to no event.
const ticks = setInterval(() => {
  if (isTicking) console.log('tick')
  isTicking = false
}, 20)
ticks.unref()
let isTicking = false
outside.on('tick', () => {
  isTicking = true
})
const all = globalThis as unknown as Record<string, unknown>
const own = process as unknown as Record<string, (...args: unknown[]) => unknown>

const acts: { readonly [name: string]: (event: HostileEvent) => unknown } = {
  echo: ({ id, text }) => ({ id, text, process: process.pid }),
  write: ({ descriptor, bytes, id }) => {
    fs.writeSync(descriptor, Buffer.from(bytes, 'base64'))
    return { id }
  },
  endless: ({ descriptor }) => {
    for (;;) fs.writeSync(descriptor, 'x'.repeat(10_000))
  },
  close: ({ descriptor }) => {
    fs.closeSync(descriptor)
    return never()
  },
  send: () => own.send!({ kind: 'ready' }),
  _send: () => own._send!(null),
  disconnect: () => {
    process.on('disconnect', () => {
      for (;;) all.busy = true
    })
    process.disconnect()
  },
  emit: () => {
    Object.assign(process, { on: never, once: never, emit: () => false, exit: never, kill: never })
    later(0, () => {
      throw new Error('late')
    })
    return never()
  },
  exit: () => {
    process.on('exit', () => {
      for (;;) all.busy = true
    })
    process.exit(0)
  },
  json: () => {
    Object.assign(JSON, { parse: never, stringify: () => 7 })
    return { patched: true }
  },
  arrays: () => {
    Object.assign(Array.prototype, { push: never, find: never, indexOf: () => -1, map: never })
    return never()
  },
  globals: () => {
    for (const name of ['Buffer', 'process', 'Promise', 'JSON', 'setTimeout', 'Error', 'Object', 'console'])
      delete all[name]
    return { deleted: true }
  },
  handles: () => {
    for (const handle of own._getActiveHandles!() as { destroy?: () => void }[]) handle.destroy?.()
    return never()
  },
  proxy: () => {
    throw new Proxy(new Error('x'), {
      get() {
        throw new Error('trap')
      },
      getPrototypeOf() {
        throw new Error('trap')
      },
    })
  },
  revoked: () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    throw proxy
  },
  thenable: () =>
    Object.defineProperty({}, 'then', {
      get() {
        throw new Error('trap')
      },
    }),
  megabytes: () => {
    spawnSync('/bin/sh', ['-c', 'head -c 200000000 /dev/zero; head -c 100000000 /dev/zero >&2'], {
      stdio: 'inherit',
    })
    return { written: true }
  },
  lines: () => {
    for (let i = 0; i < 200_000; i++) fs.writeSync(1, '\n')
    return { written: true }
  },
  forked: () =>
    new Promise(resolve => {
      const child = fork(new URL('./sends-to-its-parent.ts', import.meta.url))
      child.on('message', message => resolve({ message }))
    }),
  // These three act after their answer, while the next event waits.
  'late logs': () => {
    whileNextWaits(() => {
      console.log('late')
      process.stderr.write('late')
      fs.writeSync(1, 'late')
      fs.write(2, 'late', () => {})
      spawnSync('echo', ['late'], { stdio: 'inherit' })
    })
    return null
  },
  'late text': ({ text }) => {
    whileNextWaits(() => console.log(text))
    return null
  },
  tick: () => {
    outside.emit('tick')
    return null
  },
  'late error': ({ ms }) => {
    const fail = () => {
      throw new Error('late')
    }
    if (ms === undefined) whileNextWaits(fail)
    else later(ms, fail)
    return null
  },
  'late rejection': () => {
    whileNextWaits(() => Promise.reject(new Error('late')))
    return null
  },
  descriptors: () => {
    fs.writeSync(1, 'sync out\n')
    fs.writeSync(2, Buffer.from('.sync err.'), 1, 8)
    return new Promise(resolve => fs.write(1, 'async out', () => resolve(null)))
  },
  wait: async ({ id }) => {
    nextWaits.emit('wait')
    await new Promise(resolve => setTimeout(resolve, 120))
    console.log('waited')
    return { id, process: process.pid }
  },
  children: () => {
    for (let i = 0; i < 3; i++) spawn('/bin/sh', ['-c', 'sleep 300 & wait'], { stdio: 'ignore' })
    return null
  },
}

export async function handler(event: HostileEvent): Promise<unknown> {
  return acts[event.do]!(event)
}
