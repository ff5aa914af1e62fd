import { isObject, nearest, type Problem } from '@signalbox/codec'
import type { Location, SourceConfig } from '@signalbox/platform-runtime'
import {
  certificateProblems,
  clientsOf,
  defaultHost,
  defaultInstances,
  type Fields,
  fieldProblems,
  hostNames,
  integerFrom,
  type ListenerLimitsConfig,
  listenerAt,
  listenerLimits,
  mapProblems,
  nestedProblems,
  nonEmptyText,
  object,
  optional,
  port,
  readTlsFiles,
  type TlsFiles,
  tlsFields,
  type UncheckedObject,
} from '@signalbox/platform-runtime/config'
import * as t from 'io-ts'
import type { EventConfig, InvokeConfig, InvokesConfig } from './invoke-config.ts'

/** The settings for the events of one function. Times are in milliseconds. */
export interface EventSettings {
  readonly functionName: string
  /** The memory of the function in MB. */
  readonly memory: number
  /** The maximum number of events that run at the same time. */
  readonly concurrency: number
  /** The maximum duration of one attempt. */
  readonly attemptTime: number
  readonly retries: number
  readonly maximumAge: number
  readonly onFailure: string | undefined
}

export interface InvokeSettings {
  readonly port: number
  readonly host: string
  readonly open: boolean
  readonly names: readonly string[]
  readonly tls?: TlsFiles | undefined
  readonly limits?: ListenerLimitsConfig | undefined
  readonly location: Location
  /** The event settings of every function in the configuration. */
  readonly functions: readonly EventSettings[]
}

const defaultPort = 9332

const eventFields: Fields<EventConfig> = {
  maximumRetryAttempts: optional(integerFrom(0, 2)),
  maximumEventAge: optional(integerFrom(60, 21_600, 'whole seconds')),
  onFailure: optional(nonEmptyText),
}

const invokeFields: Fields<InvokeConfig> = {
  ...eventFields,
  port: optional(port),
  host: optional(nonEmptyText),
  open: optional(t.boolean),
  names: optional(hostNames),
  limits: optional(listenerLimits),
  tls: optional(object),
  functions: optional(object),
}

/** The part of the configuration under the key `invoke`. */
export const invokePart: SourceConfig<InvokeSettings> = {
  name: 'invoke',
  fields: { invoke: optional(object) },
  problems: (config, functions) => {
    const { invoke, queues } = config
    if (!isObject(invoke)) return []
    const part = invoke as UncheckedObject
    return [
      ...nestedProblems(config, 'invoke', invokeFields, ''),
      ...nestedProblems(part, 'tls', tlsFields, '/invoke'),
      ...queueProblems(part, '/invoke', queues),
      ...mapProblems(part.functions, '/invoke/functions', (each, pointer) => [
        ...fieldProblems(eventFields, each, pointer),
        ...queueProblems(each, pointer, queues),
        ...unknownFunction(pointer, functions),
      ]),
    ]
  },
  listeners: config => listenerAt('invoke', 'the Invoke API', defaultPort, config.invoke, clientsOf(config)),
  fileProblems: (config, root) =>
    certificateProblems((config as InvokesConfig).invoke?.tls, '/invoke/tls', root),
  settings: (config, functions, root, location) => {
    const { invoke } = config as InvokesConfig
    if (invoke === undefined) return undefined
    const { host = defaultHost, open = false, names = [], tls, limits, functions: own = {}, ...all } = invoke
    return {
      port: invoke.port ?? defaultPort,
      host,
      open,
      names,
      tls: tls && readTlsFiles(tls, root),
      limits,
      location,
      functions: Object.entries(functions).map(
        ([functionName, { timeout, wait = 10, instances, memory = 256 }]) => {
          const events: EventConfig = { ...all, ...own[functionName] }
          return {
            functionName,
            memory,
            concurrency: instances ?? defaultInstances,
            attemptTime: (timeout + wait) * 1000,
            retries: events.maximumRetryAttempts ?? 2,
            maximumAge: (events.maximumEventAge ?? 21_600) * 1000,
            onFailure: events.onFailure,
          }
        },
      ),
    }
  },
}

function unknownFunction(pointer: string, functions: UncheckedObject): readonly Problem[] {
  const name = pointer.slice('/invoke/functions/'.length)
  if (Object.hasOwn(functions, name)) return []
  const known = Object.keys(functions)
  const expected = nearest(name, known) ?? `one of ${known.join(', ')}`
  return [{ pointer, expected, actual: 'a name that is not a function of this configuration' }]
}

function queueProblems({ onFailure }: UncheckedObject, pointer: string, queues: unknown): readonly Problem[] {
  if (typeof onFailure !== 'string' || onFailure === '') return []
  const at = `${pointer}/onFailure`
  if (onFailure.endsWith('.fifo')) return [{ pointer: at, expected: 'a standard queue', actual: onFailure }]
  const known = isObject(queues) ? Object.keys(queues) : []
  if (known.includes(onFailure)) return []
  const names = known.length === 0 ? 'a queue, but the configuration has none' : `one of ${known.join(', ')}`
  return [
    {
      pointer: at,
      expected: nearest(onFailure, known) ?? names,
      actual: `${JSON.stringify(onFailure)}, which is not a queue of this configuration`,
    },
  ]
}
