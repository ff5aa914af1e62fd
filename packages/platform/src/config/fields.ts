import * as t from 'io-ts'
import type { Dialect } from '../dialect/dialect.ts'
import { type DialectName, dialects } from '../dialect/dialects.ts'
import type { Handler } from '../invoker/in-process.ts'
import type {
  Config,
  ControlConfig,
  DeadLetterConfig,
  FunctionConfig,
  HealthCheckConfig,
  JournalConfig,
  LoadBalancerConfig,
  QueueConfig,
  QueueEngineConfig,
  QueueFunctionConfig,
  QueueListenerConfig,
} from './config.ts'
import { type Fields, integerFrom, is, may, need, numberFrom, object, port, someText } from './field.ts'

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

const filter = is<object>(
  'a pattern, or a list of patterns',
  value => typeof value === 'object' && value !== null,
)

export const configFields: Fields<Config> = {
  functions: may(object),
  loadBalancers: may(object),
  queues: may(object),
  queueListener: may(object),
  mail: may(object),
  control: may(object),
  region: may(
    is<string>('letters, digits and hyphens, 64 at most', value =>
      /^[A-Za-z0-9-]{1,64}$/.test(String(value)),
    ),
  ),
  account: may(
    is<string>('a text of twelve digits', value => typeof value === 'string' && /^\d{12}$/.test(value)),
  ),
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
  port: need(port),
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

export const queueFunctionFields: Fields<QueueFunctionConfig> = {
  function: need(t.string),
  filter: may(filter),
  batchSize: may(integerFrom(1, 10_000)),
  maximumConcurrency: may(integerFrom(1, 1000)),
  reportBatchItemFailures: may(t.boolean),
}

export const queueFields: Fields<QueueConfig> = {
  ...queueFunctionFields,
  function: may(t.string),
  functions: may(t.readonlyArray(object, 'a list of functions and how each gets messages')),
  batchWindow: may(integerFrom(0, 300, 'whole seconds')),
  visibilityTimeout: may(integerFrom(0, 43_200, 'whole seconds')),
  delay: may(integerFrom(0, 900, 'whole seconds')),
  retention: may(integerFrom(60, 1_209_600, 'whole seconds')),
  contentBasedDeduplication: may(t.boolean),
  deadLetter: may(object),
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
  port: may(port),
  host: may(someText),
}

export const controlFields: Fields<ControlConfig> = {
  port: may(port),
  host: may(someText),
}

export const journalFields: Fields<JournalConfig> = {
  age: may(numberFrom(0.001, 3650, 'days')),
  size: may(numberFrom(1, 100_000, 'MB')),
}
