import {
  type Fields,
  integerFrom,
  is,
  may,
  need,
  object,
  port,
  someText,
} from '@signalbox/platform-runtime/config'
import * as t from 'io-ts'
import type {
  DeadLetterConfig,
  QueueConfig,
  QueueEngineConfig,
  QueueFunctionConfig,
  QueueListenerConfig,
} from './queue-config.ts'

const filter = is<object>(
  'a pattern, or a list of patterns',
  value => typeof value === 'object' && value !== null,
)

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
  retentionPeriod: may(integerFrom(60, 1_209_600, 'whole seconds')),
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

/** Whether a URL leads to this machine, and to nothing else. */
export function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { hostname } = new URL(url)
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}
