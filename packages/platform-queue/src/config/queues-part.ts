import { isObject } from '@signalbox/codec'
import type { Location, SourceConfig } from '@signalbox/platform-runtime'
import {
  certificateProblems,
  clientsOf,
  insideProblems,
  listenerAt,
  readTlsFiles,
  type TimedFunctions,
  valuesOf,
} from '@signalbox/platform-runtime/config'
import { executionProblems } from './execution-problems.ts'
import { type QueuesConfig, queueListenerFields, queuesFields } from './queue-config.ts'
import { queueFunctionProblems } from './queue-function-problems.ts'
import { queueProblems } from './queue-problems.ts'
import { queueRights } from './queue-rights.ts'
import { type QueueListenerSettings, type QueueSettings, queueSettings } from './queue-settings.ts'

/** The complete settings of all queues. */
export interface QueuesSettings {
  readonly queues: readonly QueueSettings[]
  /** The address of the listener. Undefined if no queue needs one. */
  readonly queueListener: QueueListenerSettings | undefined
  readonly location: Location
  /** The functions of the configuration, to which clients of the API can map queues. */
  readonly functions: TimedFunctions
}

/** The configuration keys `queues` and `queueListener`. */
export const queuesPart: SourceConfig<QueuesSettings> = {
  name: 'queue',
  fields: queuesFields,
  problems: (config, functions) => {
    const queues = isObject(config.queues) ? config.queues : {}
    return [
      ...insideProblems(queuesFields, 'queues', config, (part, pointer) => [
        ...queueFunctionProblems(part, pointer, functions),
        ...queueProblems(part, pointer, functions, queues),
        ...executionProblems(part, pointer, functions, queues),
      ]),
      ...insideProblems(queuesFields, 'queueListener', config),
    ]
  },
  fileProblems: (config, root) =>
    certificateProblems((config as QueuesConfig).queueListener?.tls, '/queueListener/tls', root),
  rights: [queueRights],
  listeners: config =>
    listenerAt(
      'queueListener',
      'the listener of the queues',
      queueListenerFields.port.default,
      config.queueListener ?? (hasOwnQueues(config.queues) ? {} : undefined),
      clientsOf(config),
    ),
  standsAlone: ({ queues, queueListener }) => queues !== undefined || queueListener !== undefined,
  settings: (config, functions, root, location) => {
    const { queues = {}, queueListener } = config as QueuesConfig
    const settings = Object.entries(queues).map(([name, each]) => queueSettings(name, each, functions))
    if (settings.length === 0 && queueListener === undefined) return undefined
    const listens = queueListener !== undefined || settings.some(({ engine }) => engine === undefined)
    const { tls, ...listener } = valuesOf(queueListenerFields, queueListener ?? {})
    return {
      location,
      functions,
      queues: settings,
      queueListener: listens ? { ...listener, tls: tls && readTlsFiles(tls, root) } : undefined,
    }
  },
}

function hasOwnQueues(queues: unknown): boolean {
  return (
    isObject(queues) && Object.values(queues).some(queue => isObject(queue) && queue.engine === undefined)
  )
}
