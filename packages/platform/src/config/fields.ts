import * as t from 'io-ts'
import type { Dialect } from '../dialect/dialect.ts'
import { type DialectName, dialects } from '../dialect/dialects.ts'
import type { Handler } from '../invoker/in-process.ts'
import type {
  Config,
  DeadLetterConfig,
  FunctionConfig,
  HealthCheckConfig,
  JournalConfig,
  LoadBalancerConfig,
  QueueConfig,
  QueueEngineConfig,
  QueueListenerConfig,
} from './config.ts'

/** One thing that a part of the configuration may hold. */
export interface Field {
  readonly codec: t.Mixed
  readonly required: boolean
}

/** Everything that a part of the configuration may hold. */
export type Fields<Part> = { readonly [K in keyof Part]-?: Field }

const need = (codec: t.Mixed): Field => ({ codec, required: true })
const may = (codec: t.Mixed): Field => ({ codec, required: false })

function is<A>(name: string, guard: (value: unknown) => boolean): t.Type<A, A, unknown> {
  const accepts = (value: unknown): value is A => guard(value)
  return new t.Type<A, A, unknown>(
    name,
    accepts,
    (value, context) => (accepts(value) ? t.success(value) : t.failure(value, context)),
    t.identity,
  )
}

function numberFrom(least: number, most: number, what: string): t.Mixed {
  return is<number>(
    `${what} from ${least} to ${most}`,
    value => typeof value === 'number' && value >= least && value <= most,
  )
}

function integerFrom(least: number, most: number, what = 'an integer'): t.Mixed {
  return is<number>(
    `${what} from ${least} to ${most}`,
    value => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
  )
}

const object = is<object>(
  'an object',
  value => typeof value === 'object' && value !== null && !Array.isArray(value),
)
const someText = is<string>('a text that is not empty', value => typeof value === 'string' && value !== '')
const dialectNames = Object.keys(dialects)
const dialect = is<DialectName | Dialect>(
  `${dialectNames.join(', ')}, or a dialect: { event, answer }, both functions`,
  value =>
    typeof value === 'string'
      ? dialectNames.includes(value)
      : ['event', 'answer'].every(
          key => typeof (value as Record<string, unknown> | null)?.[key] === 'function',
        ),
)

export const configFields: Fields<Config> = {
  functions: need(object),
  loadBalancers: may(object),
  queues: may(object),
  queueListener: may(object),
  dataDir: may(someText),
  journal: may(object),
  grace: may(numberFrom(0, 900, 'seconds')),
  watch: may(t.readonlyArray(someText, 'a list of folders')),
}

export const functionFields: Fields<FunctionConfig> = {
  module: may(someText),
  export: may(someText),
  handler: may(is<Handler>('a function', value => typeof value === 'function')),
  timeout: may(numberFrom(0.01, 900, 'seconds')),
  instances: may(integerFrom(1, 1000)),
  wait: may(numberFrom(0, 900, 'seconds')),
  memory: may(integerFrom(16, 65_536, 'MB')),
  env: may(t.record(t.string, t.string, 'a map of texts')),
  dialect: may(dialect),
}

export const loadBalancerFields: Fields<LoadBalancerConfig> = {
  port: need(integerFrom(0, 65_535)),
  host: may(someText),
  function: need(t.string),
  multiValueHeaders: may(t.boolean),
  targetGroupArn: may(someText),
  healthCheck: may(object),
}

export const healthCheckFields: Fields<HealthCheckConfig> = {
  path: may(is<string>('a path that starts with a slash', value => /^\/[\x21-\x7e]*$/.test(String(value)))),
  interval: may(numberFrom(0.1, 86_400, 'seconds')),
  healthyThreshold: may(integerFrom(1, 100)),
  unhealthyThreshold: may(integerFrom(1, 100)),
}

export const queueFields: Fields<QueueConfig> = {
  function: may(t.string),
  batchSize: may(integerFrom(1, 10_000)),
  batchWindow: may(integerFrom(0, 300, 'whole seconds')),
  maximumConcurrency: may(integerFrom(1, 1000)),
  visibilityTimeout: may(integerFrom(0, 43_200, 'whole seconds')),
  delay: may(integerFrom(0, 900, 'whole seconds')),
  retention: may(integerFrom(60, 1_209_600, 'whole seconds')),
  contentBasedDeduplication: may(t.boolean),
  deadLetter: may(object),
  reportBatchItemFailures: may(t.boolean),
  engine: may(object),
}

export const deadLetterFields: Fields<DeadLetterConfig> = {
  queue: need(someText),
  maxReceiveCount: need(integerFrom(1, 1000)),
}

export const queueEngineFields: Fields<QueueEngineConfig> = {
  endpoint: may(
    is<string>(
      'an http or https URL',
      value => /^https?:\/\/./.test(String(value)) && URL.canParse(String(value)),
    ),
  ),
  region: may(someText),
  allowRemote: may(t.boolean),
}

export const queueListenerFields: Fields<QueueListenerConfig> = {
  port: may(integerFrom(0, 65_535)),
  host: may(someText),
}

export const journalFields: Fields<JournalConfig> = {
  age: may(numberFrom(0.001, 3650, 'days')),
  size: may(numberFrom(1, 100_000, 'MB')),
}
