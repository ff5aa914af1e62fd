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

export const configFields: Fields<Config> = {
  functions: need(object),
  loadBalancers: may(object),
  queues: may(object),
  queueListener: may(object),
  mail: may(object),
  control: may(object),
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
