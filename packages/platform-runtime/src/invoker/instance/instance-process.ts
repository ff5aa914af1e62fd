import { ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { instanceMain } from '../../own-code.ts'
import { payloadLimit } from '../invoker.ts'
import { execArguments } from './exec-arguments.ts'
import { BrokenFrameError, type Frame, frameBytes, frameReader } from './frame.ts'
import type { ProcessEnd } from './function-process.ts'
import { inheritedEnvironment } from './inherited-environment.ts'
import { descriptors, type InstanceSettings, memoryUsedUp } from './instance-message.ts'
import { watchForOrphans } from './orphan-watch.ts'
import { instanceVariable, killProcesses } from './processes.ts'
import { freeRead } from './reused-room.ts'

/** Settings of a module that runs in instances. */
export interface ModuleSettings {
  readonly name: string
  /** The module, as a file URL. */
  readonly module: string
  readonly exportName: string
  /** Milliseconds that one event may take. */
  readonly timeout: number
  /** The maximum heap size of one instance in MB. */
  readonly memory: number
  readonly env: { readonly [name: string]: string }
  /**
   * Environment variables that the platform adds. They are read each time an instance starts, and `env` overrides
   * them.
   */
  readonly platformEnv?: { readonly [name: string]: string }
  /** The environment variables of the platform that the instances do not get. */
  readonly withheld?: readonly string[]
  /** The working folder of the instances. */
  readonly folder: string
  /** Whether the instances start with Node's inspector, on a port of loopback that the system chooses. */
  readonly inspect?: boolean
}

/** What a process reports of its channel. */
export interface ChannelEvents {
  readonly frame: (frame: Frame) => void
  /** Called when all received bytes have been read. `isWhole` states whether they ended with a whole frame. */
  readonly read: (isWhole: boolean) => void
  /** Called when the channel has closed, as it does when the process ends. */
  readonly closed: () => void
  /** Called when the channel carried an invalid frame, or closed although the process still runs. */
  readonly broken: (why: string) => void
  /** Called when the process did not start. In this case `ended` is not called. */
  readonly missing: (why: string) => void
  readonly ended: (end: ProcessEnd) => void
}

/** A process of Node that runs a function, one event or several at a time. */
export interface InstanceProcess {
  readonly send: (task: number, text: string) => void
  /** Forgets what the process wrote to stdout and stderr so far, because a new task begins. */
  readonly forgetOutput: () => void
  /** Kills the process, and the processes that it started. */
  readonly kill: () => void
  /** Resolves when the process has ended. */
  readonly gone: Promise<void>
}

/** The number of MB that an instance may use in addition to its heap, for code, buffers and threads. */
const beyondHeap = 192

/** The maximum number of bytes of one frame, which may contain a payload and an error message. */
const frameLimit = payloadLimit + 128 * 1024

/** The maximum number of bytes that are kept of the output outside the channel. */
const tailLimit = 64 * 1024

/** The number of bytes of the lifeline that are read at a time. The function can write there, too. */
const lineLimit = 1024

/** Milliseconds to wait for the output of a process that has ended. */
const lastOutput = 250

/** With these flags, Node prints no address of its inspector, which is not the address for debuggers. */
const inspectorFlags = ['--inspect=127.0.0.1:0', '--inspect-publish-uid=http']

const nothing = Buffer.alloc(0)

/** Starts the process of an instance. */
export function startProcess(settings: ModuleSettings, events: ChannelEvents): InstanceProcess {
  const id = randomUUID()
  const child = launch(settings, id)
  const { pid } = child
  const unwatch = pid === undefined ? undefined : watchForOrphans(pid)
  // Despite its type, `stdio` is undefined when the process did not start because too many files are open.
  const stdio = (child.stdio ?? []) as readonly (Socket | null | undefined)[]
  const tasks = stdio[descriptors.tasks]
  let written: Buffer = nothing
  let isOutOfMemory = false
  let isBroken = false
  let isKilled = false

  const kill = () => {
    if (pid === undefined || isKilled) return
    isKilled = true
    killProcesses([pid], id)
  }
  for (const socket of stdio) socket?.on('error', () => {})
  for (const output of [stdio[1], stdio[2]]) {
    output?.on('data', (bytes: Buffer) => {
      written = bytes.length < tailLimit ? Buffer.concat([written, bytes]).subarray(-tailLimit) : bytes
    })
  }
  const read = frameReader(frameLimit, events.frame)
  stdio[descriptors.messages]?.on('data', (bytes: Buffer) => {
    try {
      const isWhole = read(bytes)
      freeRead(bytes)
      if (!isBroken) events.read(isWhole)
    } catch (error) {
      isBroken = true
      // Any other error comes from a frame that cannot be read, too. It fails the running event, not the platform.
      events.broken(
        error instanceof BrokenFrameError ? `it sent ${error.message}` : `its frame failed: ${String(error)}`,
      )
    }
  })
  for (const socket of [tasks, stdio[descriptors.messages]]) {
    socket?.on('close', () => {
      events.closed()
      setTimeout(events.broken, lastOutput, 'it is closed').unref()
    })
  }
  // Instances send nothing on this pipe, so its input is discarded.
  tasks?.resume()
  const lifeline = stdio[descriptors.lifeline]
  lifeline?.on('data', (bytes: Buffer) => {
    if (bytes.subarray(0, lineLimit).toString('latin1').split('\n').includes(memoryUsedUp))
      isOutOfMemory = true
  })

  const gone = new Promise<void>(resolve => {
    child.on('error', error => {
      if (pid !== undefined) return
      events.missing(error.message)
      resolve()
    })
    let isOver = false
    const end = (code: number | null, signal: string | null) => {
      if (isOver) return
      isOver = true
      const text = written.toString()
      events.ended({
        code,
        signal,
        isOutOfMemory: isOutOfMemory || text.includes('heap out of memory'),
        written: text,
      })
      resolve()
    }
    // The last output of a process arrives before the `close` event. But that event waits for every process that keeps
    // the output open, even for a process that left the group, so the wait is limited.
    child.on('close', end)
    child.on('exit', (code, signal) => {
      kill()
      unwatch?.()
      setTimeout(end, lastOutput, code, signal).unref()
    })
  })

  return {
    gone,
    kill,
    send: (task, text) => void tasks?.write(frameBytes('task', task, text)),
    forgetOutput() {
      written = nothing
    },
  }
}

function launch(
  {
    name,
    module,
    exportName,
    memory,
    env,
    platformEnv,
    withheld = [],
    folder,
    inspect = false,
  }: ModuleSettings,
  id: string,
): ChildProcess {
  const instanceSettings: InstanceSettings = {
    functionName: name,
    module,
    exportName,
    memoryLimit: (memory + beyondHeap) * 1024 * 1024,
    inspect,
  }
  const flags = [
    ...execArguments(process.execArgv, instanceMain.href, memory),
    ...(inspect ? inspectorFlags : []),
  ]
  try {
    return spawn(
      process.execPath,
      [...flags, fileURLToPath(instanceMain), JSON.stringify(instanceSettings)],
      {
        cwd: folder,
        env: {
          ...inheritedEnvironment(process.env, withheld),
          ...platformEnv,
          ...env,
          [instanceVariable]: id,
        },
        // The instance leads its own process group, because an interrupt from the keyboard is meant for the platform,
        // which lets its instances finish.
        detached: process.platform !== 'win32',
        stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
      },
    )
  } catch (error) {
    // A failed start either emits an event or throws, depending on the reason.
    const none = new ChildProcess()
    process.nextTick(() => none.emit('error', error))
    return none
  }
}
