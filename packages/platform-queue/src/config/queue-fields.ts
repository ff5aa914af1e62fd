import {
  type Fields,
  hostNames,
  integerFrom,
  listenerLimits,
  matching,
  nonEmptyText,
  object,
  optional,
  port,
  required,
} from '@signalbox/platform-runtime/config'
import * as t from 'io-ts'
import type {
  DeadLetterConfig,
  QueueConfig,
  QueueEngineConfig,
  QueueFunctionConfig,
  QueueListenerConfig,
} from './queue-config.ts'

const filter = matching<object>(
  'a pattern, or a list of patterns',
  value => typeof value === 'object' && value !== null,
)

export const queueFunctionFields: Fields<QueueFunctionConfig> = {
  function: required(t.string),
  filter: optional(filter),
  batchSize: optional(integerFrom(1, 10_000)),
  maximumConcurrency: optional(integerFrom(1, 1000)),
  reportBatchItemFailures: optional(t.boolean),
}

export const queueFields: Fields<QueueConfig> = {
  ...queueFunctionFields,
  function: optional(t.string),
  functions: optional(t.readonlyArray(object, 'a list of functions and how each gets messages')),
  batchWindow: optional(integerFrom(0, 300, 'whole seconds')),
  visibilityTimeout: optional(integerFrom(0, 43_200, 'whole seconds')),
  delay: optional(integerFrom(0, 900, 'whole seconds')),
  retentionPeriod: optional(integerFrom(60, 1_209_600, 'whole seconds')),
  contentBasedDeduplication: optional(t.boolean),
  deadLetter: optional(object),
  engine: optional(object),
}

export const deadLetterFields: Fields<DeadLetterConfig> = {
  queue: required(nonEmptyText),
  maxReceiveCount: required(integerFrom(1, 1000)),
}

export const queueEngineFields: Fields<QueueEngineConfig> = {
  endpoint: optional(
    matching<string>(
      'an http or https URL',
      value => /^https?:\/\/./.test(String(value)) && URL.canParse(String(value)),
    ),
  ),
  region: optional(nonEmptyText),
  allowRemote: optional(t.boolean),
}

export const queueListenerFields: Fields<QueueListenerConfig> = {
  port: optional(port),
  host: optional(nonEmptyText),
  open: optional(t.boolean),
  names: optional(hostNames),
  limits: optional(listenerLimits),
  tls: optional(object),
}
