import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { functionArn, type Location } from '../../location.ts'
import type { FunctionProcess, FunctionProgram, ProcessEvents } from '../instance/function-process.ts'
import { inheritedEnvironment } from '../instance/inherited-environment.ts'
import { killGroup } from '../instance/kill-group.ts'
import { watchForOrphans } from '../instance/orphan-watch.ts'
import { hasOpened, instanceVariable, memoryOf, processesOf } from './processes.ts'
import { runtimeInterface } from './runtime-interface.ts'

/** Settings of a function that a command runs, which speaks the runtime interface of AWS Lambda. */
export interface CommandSettings {
  readonly name: string
  /** The program and its arguments. */
  readonly command: readonly [string, ...string[]]
  /** What the runtime gets as `_HANDLER`. */
  readonly handlerName: string
  /** The working folder, which the runtime also gets as `LAMBDA_TASK_ROOT`. */
  readonly folder: string
  /** The programs that run beside the command, relative to the folder. */
  readonly extensions: readonly string[]
  /** The maximum resident memory of the processes of one instance in MB. */
  readonly memory: number
  /** The maximum number of events that one instance works on at the same time. */
  readonly concurrency: number
  readonly env: { readonly [name: string]: string }
  /** Environment variables that the platform adds. They are read each time an instance starts, and `env` overrides them. */
  readonly platformEnv?: { readonly [name: string]: string }
  /** The environment variables of the platform that the instances do not get. */
  readonly withheld?: readonly string[]
  readonly location: Location
}

/** Milliseconds between two looks at the memory of an instance. */
const memoryInterval = 200

/** Milliseconds to wait for the output of a process that has ended. */
const lastOutput = 250

/**
 * Returns a function that a command runs. The command gets events from an HTTP interface of its own on loopback, which
 * serves only the processes of the instance on a system with /proc.
 * See docs/decisions/instances-and-invocations.md#commands-speak-the-runtime-interface.
 */
export function commandProgram(settings: CommandSettings): FunctionProgram {
  return {
    // Fails here, where it fails the call, when the context cannot be written as JSON.
    prepare: ({ context }) => JSON.stringify(context ?? {}),
    start: events => startCommand(settings, events),
  }
}

function startCommand(settings: CommandSettings, events: ProcessEvents): FunctionProcess {
  const { name, concurrency, memory, location } = settings
  const id = randomUUID()
  let child: ChildProcess | undefined
  let isKilled = false
  let isOutOfMemory = false
  let resolveGone = () => {}
  const gone = new Promise<void>(resolve => {
    resolveGone = resolve
  })
  const api = runtimeInterface({ arn: functionArn(name, location), concurrency, isOwn }, events)

  const missing = (why: string) => {
    events.missing(why)
    over()
  }
  api.listen().then(
    port => (isKilled ? over() : run(port)),
    (error: Error) => missing(error.message),
  )

  return {
    gone,
    send: (about, call, _text, granted) => api.send({ about, call, granted }),
    giveUp: api.giveUp,
    kill() {
      isKilled = true
      if (child?.pid !== undefined) killAll(child.pid)
    },
  }

  function run(port: number): void {
    try {
      child = launch(settings, id, port)
    } catch (error) {
      // A failed start either emits an event or throws, depending on the reason.
      missing((error as Error).message)
      return
    }
    const { pid } = child
    child.on('error', error => {
      if (pid === undefined) missing(error.message)
    })
    if (pid === undefined) return
    const unwatch = watchForOrphans(pid)
    const watch = setInterval(() => {
      if (memoryOf(processesOf(pid)) <= memory * 1024 * 1024) return
      isOutOfMemory = true
      killAll(pid)
    }, memoryInterval).unref()
    for (const [stream, output] of [
      ['out', child.stdout],
      ['err', child.stderr],
    ] as const) {
      output?.setEncoding('utf8')
      output?.on('data', (text: string) => events.output(undefined, stream, text))
      output?.on('error', () => {})
    }
    let isOver = false
    const end = (code: number | null, signal: string | null) => {
      if (isOver) return
      isOver = true
      clearInterval(watch)
      events.ended({ code, signal, isOutOfMemory, written: '' })
      over()
    }
    // The last output arrives before the `close` event. But that event waits for every process that keeps the output
    // open, so the wait is limited.
    child.on('close', end)
    child.on('exit', (code, signal) => {
      killAll(pid)
      unwatch()
      setTimeout(end, lastOutput, code, signal).unref()
    })
  }

  function isOwn({ remotePort, localPort }: Socket): boolean {
    if (process.platform !== 'linux') return true
    if (child?.pid === undefined || remotePort === undefined || localPort === undefined) return false
    return hasOpened(child.pid, id, { remotePort, localPort })
  }

  function killAll(leader: number): void {
    // A process that starts while the others are killed is found the second time.
    for (const ids of [processesOf(leader, id), processesOf(leader, id)]) {
      killGroup(leader)
      for (const each of ids) if (each !== leader) killOne(each)
    }
  }

  function over(): void {
    api.close()
    resolveGone()
  }
}

function killOne(id: number): void {
  try {
    process.kill(id, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

function launch(settings: CommandSettings, id: string, port: number): ChildProcess {
  const [program, ...args] = settings.command
  const { folder, env, platformEnv, withheld = [] } = settings
  return spawn(program, args, {
    cwd: folder,
    env: {
      ...inheritedEnvironment(process.env, withheld),
      ...platformEnv,
      ...runtimeEnvironment(settings, id),
      ...env,
      AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${port}`,
      [instanceVariable]: id,
    },
    // The instance leads its own session, because an interrupt from the keyboard is meant for the platform.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Returns the environment variables that runtimes expect. */
function runtimeEnvironment(
  { name, handlerName, folder, memory, concurrency, location: { region } }: CommandSettings,
  id: string,
): { readonly [name: string]: string } {
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '/')
  return {
    _HANDLER: handlerName,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_EXECUTION_ENV: 'Signalbox',
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memory),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: `${day}/[$LATEST]${id.replaceAll('-', '')}`,
    LAMBDA_TASK_ROOT: folder,
    // Runtimes ask only whether it is there.
    ...(concurrency > 1 && { AWS_LAMBDA_MAX_CONCURRENCY: String(concurrency) }),
  }
}
