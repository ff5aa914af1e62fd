import { isObject } from '@signalbox/codec'
import type { Location, SourceConfig } from '@signalbox/platform-runtime'
import {
  certificateProblems,
  clientsOf,
  defaultHost,
  fieldProblems,
  listenerAt,
  mapProblems,
  nestedProblems,
  object,
  optional,
  readTlsFiles,
  tlsFields,
} from '@signalbox/platform-runtime/config'
import type { QueueListenerConfig, QueuesConfig } from './queue-config.ts'
import { deadLetterFields, queueEngineFields, queueFields, queueListenerFields } from './queue-fields.ts'
import { queueFunctionProblems } from './queue-function-problems.ts'
import { queueNames, queueProblems } from './queue-problems.ts'
import { queueRights } from './queue-rights.ts'
import { type QueueListenerSettings, type QueueSettings, queueSettings } from './queue-settings.ts'

/** The complete settings of all queues. */
export interface QueuesSettings {
  readonly queues: readonly QueueSettings[]
  /** The address of the listener. Undefined if no queue needs one. */
  readonly queueListener: QueueListenerSettings | undefined
  readonly location: Location
}

/** The default port of the listener. */
const defaultPort = 9324

/** The configuration keys `queues` and `queueListener`. */
export const queuesPart: SourceConfig<QueuesSettings> = {
  name: 'queue',
  fields: { queues: optional(object), queueListener: optional(object) },
  problems: (config, functions) => {
    const queues = isObject(config.queues) ? config.queues : {}
    return [
      ...mapProblems(
        config.queues,
        '/queues',
        (part, pointer) => [
          ...fieldProblems(queueFields, part, pointer),
          ...queueFunctionProblems(part, pointer, functions),
          ...nestedProblems(part, 'deadLetter', deadLetterFields, pointer),
          ...nestedProblems(part, 'engine', queueEngineFields, pointer),
          ...queueProblems(part, pointer, functions, queues),
        ],
        queueNames,
      ),
      ...nestedProblems(config, 'queueListener', queueListenerFields, ''),
      ...(isObject(config.queueListener)
        ? nestedProblems(config.queueListener, 'tls', tlsFields, '/queueListener')
        : []),
    ]
  },
  fileProblems: (config, root) =>
    certificateProblems((config as QueuesConfig).queueListener?.tls, '/queueListener/tls', root),
  rights: [queueRights],
  listeners: config =>
    listenerAt(
      'queueListener',
      'the listener of the queues',
      defaultPort,
      config.queueListener ?? (hasOwnQueues(config.queues) ? {} : undefined),
      clientsOf(config),
    ),
  standsAlone: ({ queues, queueListener }) => queues !== undefined || queueListener !== undefined,
  settings: (config, functions, root, location) => {
    const { queues = {}, queueListener } = config as QueuesConfig
    const settings = Object.entries(queues).map(([name, each]) => queueSettings(name, each, functions))
    if (settings.length === 0 && queueListener === undefined) return undefined
    const listens = queueListener !== undefined || settings.some(({ engine }) => engine === undefined)
    return {
      location,
      queues: settings,
      queueListener: listens ? listenerSettings(queueListener, root) : undefined,
    }
  },
}

function listenerSettings({ tls, ...rest }: QueueListenerConfig = {}, root: string): QueueListenerSettings {
  const { port = defaultPort, host = defaultHost, open = false, names = [], limits } = rest
  return { port, host, open, names, limits, tls: tls && readTlsFiles(tls, root) }
}

function hasOwnQueues(queues: unknown): boolean {
  return (
    isObject(queues) && Object.values(queues).some(queue => isObject(queue) && queue.engine === undefined)
  )
}
