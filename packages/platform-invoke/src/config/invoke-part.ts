import { resolve } from 'node:path'
import { isObject, nearest, type Problem, pointerTo } from '@signalbox/codec'
import type { Location, SourceConfig } from '@signalbox/platform-runtime'
import {
  certificateProblems,
  clientsOf,
  type DurableConfig,
  durableFields,
  type FunctionConfig,
  failureDestinationProblems,
  functionFields,
  insideProblems,
  listenerAt,
  readTlsFiles,
  type TlsFiles,
  type UncheckedObject,
  type ValuesOf,
  valuesOf,
} from '@signalbox/platform-runtime/config'
import {
  type EventConfig,
  eventFields,
  type InvokesConfig,
  invokeFields,
  invokesFields,
} from './invoke-config.ts'

/** The settings for the events of one function. Times are in milliseconds. */
export interface EventSettings {
  readonly functionName: string
  /** The memory of the function in MB. */
  readonly memory: number
  /** The time-out of one event. */
  readonly timeout: number
  /** The absolute path of the file with its code. Undefined for code that is not in a file of this platform. */
  readonly codeFile: string | undefined
  /** What AWS calls the environment of its code, and the place in it. */
  readonly runtime: string
  readonly handler: string
  /** Whether each tenant has instances of its own. */
  readonly isIsolated: boolean
  /** The maximum number of events that run at the same time. */
  readonly concurrency: number
  readonly retries: number
  readonly maximumAge: number
  readonly onFailure: string | undefined
  /** How the executions of the function run. Undefined for a function that is not durable. */
  readonly durable: { readonly timeout: number; readonly retention: number } | undefined
}

export interface InvokeSettings
  extends Omit<ValuesOf<typeof invokeFields>, keyof EventConfig | 'tls' | 'functions'> {
  readonly tls?: TlsFiles | undefined
  readonly location: Location
  /** The event settings of every function in the configuration. */
  readonly functions: readonly EventSettings[]
}

/** The part of the configuration under the key `invoke`. */
export const invokePart: SourceConfig<InvokeSettings> = {
  name: 'invoke',
  fields: invokesFields,
  problems: (config, functions) => {
    if (config.invoke === undefined) return durableProblems(functions)
    const check = ({ onFailure }: UncheckedObject, pointer: string) =>
      failureDestinationProblems(onFailure, `${pointer}/onFailure`, config.queues)
    return insideProblems(invokesFields, 'invoke', config, check, {
      functions: (part, pointer) => [...check(part, pointer), ...unknownFunction(pointer, functions)],
    })
  },
  listeners: config =>
    listenerAt('invoke', 'the Invoke API', invokeFields.port.default, config.invoke, clientsOf(config)),
  fileProblems: (config, root) =>
    certificateProblems((config as InvokesConfig).invoke?.tls, '/invoke/tls', root),
  settings: (config, functions, root, location) => {
    const { invoke } = config as InvokesConfig
    if (invoke === undefined) return undefined
    const { tls, functions: own = {}, ...values } = valuesOf(invokeFields, invoke)
    return {
      ...values,
      tls: tls && readTlsFiles(tls, root),
      location,
      functions: Object.entries(functions).map(([functionName, each]) => {
        const { instances, memory, concurrency, tenancy, durable } = valuesOf(functionFields, each)
        const events = valuesOf(eventFields, { ...invoke, ...own[functionName] })
        return {
          functionName,
          memory,
          timeout: each.timeout * 1000,
          ...codeOf(each),
          codeFile: codeFileOf(each, root),
          isIsolated: tenancy === 'isolated',
          concurrency: instances * concurrency,
          retries: events.maximumRetryAttempts,
          maximumAge: events.maximumEventAge,
          onFailure: events.onFailure,
          durable: durable && durableSettings(durable),
        }
      }),
    }
  },
}

/** Returns how AWS describes the code of a function. */
function codeOf({ module, command, export: exported = 'handler' }: FunctionConfig): {
  readonly runtime: string
  readonly handler: string
} {
  if (command !== undefined) return { runtime: 'provided.al2023', handler: exported }
  const file = module?.replace(/^\.\//, '').replace(/\.[cm]?[jt]s$/, '') ?? 'index'
  return { runtime: 'nodejs22.x', handler: `${file}.${exported}` }
}

function codeFileOf({ module, command, cwd = '.' }: FunctionConfig, root: string): string | undefined {
  if (module !== undefined) return resolve(root, module)
  // The program of a command can be an interpreter, whose first argument is then the code.
  const file = command?.find(each => each.includes('/') || /\.\w+$/.test(each))
  return file === undefined ? undefined : resolve(root, cwd, file)
}

function durableSettings(durable: DurableConfig): NonNullable<EventSettings['durable']> {
  const { timeout, retention } = valuesOf(durableFields, durable)
  return { timeout, retention: retention * 24 * 60 * 60_000 }
}

/** Returns the problems of durable functions in a configuration without the API that they use. */
function durableProblems(functions: UncheckedObject): readonly Problem[] {
  return Object.entries(functions).flatMap(([name, each]) =>
    isObject(each) && each.durable !== undefined
      ? [
          {
            pointer: pointerTo('functions', name, 'durable'),
            expected: 'a configuration with the key invoke, whose API durable functions use',
            actual: undefined,
          },
        ]
      : [],
  )
}

function unknownFunction(pointer: string, functions: UncheckedObject): readonly Problem[] {
  const name = pointer.slice('/invoke/functions/'.length)
  if (Object.hasOwn(functions, name)) return []
  const known = Object.keys(functions)
  const expected = nearest(name, known) ?? `one of ${known.join(', ')}`
  return [{ pointer, expected, actual: 'a name that is not a function of this configuration' }]
}
