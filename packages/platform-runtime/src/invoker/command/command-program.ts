import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { basename, resolve } from 'node:path'
import { functionArn, type Location } from '../../location.ts'
import type { FunctionProcess, FunctionProgram, ProcessEvents } from '../instance/function-process.ts'
import { inheritedEnvironment } from '../instance/inherited-environment.ts'
import { killGroup } from '../instance/kill-group.ts'
import { watchForOrphans } from '../instance/orphan-watch.ts'
import { instanceVariable, killProcesses, memoryOf, openedBy, processesOf } from '../instance/processes.ts'
import { extensionsOf } from './extensions.ts'
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

/** Milliseconds that extensions get when their instance ends. */
const shutDownLimit = 2000

/** The role of the command among the processes of an instance. No extension has this name. */
const runtimeName = '/runtime'

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
  const { name, handlerName, command, folder, concurrency, memory, location } = settings
  const id = randomUUID()
  const arn = functionArn(name, location)
  const external = new Map(settings.extensions.map(path => [basename(path), resolve(folder, path)]))
  /** The processes that this process has started: the extensions, and then the command. */
  const children = new Map<ChildProcess, string>()
  /** The answered events whose places become free when all extensions wait, too. Undefined is a new place. */
  let places: (number | undefined)[] = []
  /** The events that the runtime works on, also those whose time is over. */
  const working = new Set<number>()
  let isReady = false
  let isEnding = false
  let isOutOfMemory = false
  let port = 0
  let resolveGone = () => {}
  const gone = new Promise<void>(resolve => {
    resolveGone = resolve
  })

  const extensions = extensionsOf(
    {
      functionName: name,
      handlerName,
      account: location.account,
      arn,
      external: [...external.keys()],
      takeEvents: concurrency === 1,
    },
    { registered: startRuntime, waiting: rest, failed: events.failed },
  )
  const { telemetry } = extensions
  const api = runtimeInterface(
    { arn, concurrency, areOwn, respond: extensions.respond },
    {
      ready() {
        isReady = true
      },
      failed: events.failed,
      answered(about, result) {
        working.delete(about)
        telemetry.add('platform.runtimeDone', { status: result.failure === undefined ? 'success' : 'error' })
        events.answered(about, result)
      },
      free(about) {
        places.push(about)
        rest()
      },
    },
  )
  let killTimer: NodeJS.Timeout | undefined
  const memoryWatch = setInterval(() => {
    // An instance that waits for events need not be watched.
    if (children.size === 0 || (isReady && working.size === 0)) return
    if (memoryOf(processesOf(leaders(), undefined, memoryInterval)) <= memory * 1024 * 1024) return
    isOutOfMemory = true
    killAll()
  }, memoryInterval).unref()

  api.listen().then(
    listening => {
      port = listening
      if (isEnding) endIfAlone()
      else if (external.size === 0) startRuntime()
      else for (const [extension, path] of external) start([path], extension)
    },
    (error: Error) => events.missing(error.message),
  )

  return {
    gone,
    send(about, call, _text, granted) {
      const event = { about, call, granted }
      working.add(about)
      telemetry.add('platform.start', { requestId: call.requestId, version: '$LATEST' })
      extensions.invoke(event)
      api.send(event)
    },
    giveUp: api.giveUp,
    kill(reason) {
      if (isEnding) return
      isEnding = true
      telemetry.flush()
      if (!extensions.shutDown(reason, shutDownLimit)) killAll()
      else killTimer = setTimeout(killAll, shutDownLimit).unref()
      endIfAlone()
    },
  }

  function startRuntime(): void {
    if (!isEnding) start(command, runtimeName)
  }

  /** Says that the function is loaded, and which places are free, once the runtime and all extensions wait. */
  function rest(): void {
    if (!isReady || !extensions.areWaiting()) return
    events.ready()
    const free = places
    places = []
    for (const about of free) events.free(about)
  }

  function start(line: readonly string[], role: string): void {
    let child: ChildProcess
    try {
      child = launch(settings, line, { id, port })
    } catch (error) {
      // A failed start either emits an event or throws, depending on the reason.
      events.missing((error as Error).message)
      return
    }
    const { pid } = child
    child.on('error', error => {
      if (pid === undefined) events.missing(error.message)
    })
    if (pid === undefined) return
    children.set(child, role)
    const unwatch = watchForOrphans(pid)
    for (const [stream, output] of [
      ['out', child.stdout],
      ['err', child.stderr],
    ] as const) {
      output?.setEncoding('utf8')
      output?.on('data', (text: string) => {
        events.output(undefined, stream, text)
        telemetry.add(role === runtimeName ? 'function' : 'extension', text)
      })
      output?.on('error', () => {})
    }
    const end = (code: number | null, signal: string | null) => {
      if (!children.delete(child)) return
      if (role === runtimeName) events.ended({ code, signal, isOutOfMemory, written: '' })
      else events.failed(`the extension ${role} ended`)
      endIfAlone()
    }
    // The last output arrives before the `close` event. But that event waits for every process that keeps the output
    // open, so the wait is limited.
    child.on('close', end)
    child.on('exit', (code, signal) => {
      killGroup(pid)
      if (role === runtimeName) killAll()
      unwatch()
      setTimeout(end, lastOutput, code, signal).unref()
    })
  }

  /** Ends what is left when the processes of an ending instance are gone, or only the runtime is left. */
  function endIfAlone(): void {
    if (!isEnding) return
    if ([...children.values()].every(role => role === runtimeName)) killAll()
    if (children.size > 0) return
    clearInterval(memoryWatch)
    clearTimeout(killTimer)
    telemetry.drop()
    api.close()
    resolveGone()
  }

  function leaders(): readonly number[] {
    return [...children.keys()].map(({ pid }) => pid!)
  }

  function areOwn(sockets: readonly Socket[]): readonly boolean[] {
    return process.platform === 'linux' ? openedBy(leaders(), sockets) : sockets.map(() => true)
  }

  function killAll(): void {
    killProcesses(leaders(), id)
  }
}

function launch(
  settings: CommandSettings,
  [program, ...args]: readonly string[],
  { id, port }: { readonly id: string; readonly port: number },
): ChildProcess {
  const { folder, env, platformEnv, withheld = [] } = settings
  return spawn(program!, args, {
    cwd: folder,
    env: {
      ...inheritedEnvironment(process.env, withheld),
      ...platformEnv,
      ...runtimeEnvironment(settings, id),
      ...env,
      AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${port}`,
      [instanceVariable]: id,
    },
    // It leads its own session, because an interrupt from the keyboard is meant for the platform.
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
