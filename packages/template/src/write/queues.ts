import { defined, type Part } from '../config/config.ts'
import { arnOf, listOf, partOf } from './values.ts'
import type { Writing } from './writing.ts'

/** Writes queues, and the mappings that give their messages to functions. */
export function writeQueues(queues: readonly (readonly [string, unknown])[], writing: Writing): void {
  for (const [name, value] of [...queues, ...onlyNamed(queues)]) {
    const place = `queues.${name}`
    const { visibilityTimeout, delay, retentionPeriod, contentBasedDeduplication, deadLetter, ...more } =
      partOf(value)
    const {
      function: callee,
      functions,
      batchWindow,
      batchSize,
      maximumConcurrency,
      reportBatchItemFailures,
      filter,
      ...rest
    } = more
    const id = writing.idOf('queues', name)
    const { queue: target, maxReceiveCount } = partOf(deadLetter)
    writing.add({
      id,
      type: 'AWS::SQS::Queue',
      properties: defined({
        QueueName: name,
        FifoQueue: name.endsWith('.fifo') ? true : undefined,
        ContentBasedDeduplication: contentBasedDeduplication,
        VisibilityTimeout: visibilityTimeout,
        DelaySeconds: delay,
        MessageRetentionPeriod: retentionPeriod,
        RedrivePolicy:
          target === undefined
            ? undefined
            : { deadLetterTargetArn: arnOf(writing.idOf('queues', String(target))), maxReceiveCount },
      }),
    })
    const own = { function: callee, batchSize, maximumConcurrency, reportBatchItemFailures, filter }
    const callees =
      functions === undefined ? (callee === undefined ? [] : [own]) : listOf(functions).map(partOf)
    for (const [at, each] of callees.entries())
      writeMapping(
        id,
        each,
        batchWindow,
        functions === undefined ? place : `${place}.functions.${at}`,
        writing,
      )
    writing.rest(place, rest)
  }
}

/** Returns the dead-letter queues that the configuration has only the names of. The platform makes them, too. */
function onlyNamed(queues: readonly (readonly [string, unknown])[]): readonly (readonly [string, unknown])[] {
  const listed = new Set(queues.map(([name]) => name))
  const targets = new Set(queues.map(([, value]) => partOf(partOf(value).deadLetter).queue))
  return [...targets].flatMap(name =>
    typeof name === 'string' && !listed.has(name) ? [[name, {}] as const] : [],
  )
}

function writeMapping(
  queue: string,
  callee: Part,
  batchWindow: unknown,
  place: string,
  writing: Writing,
): void {
  const { function: name, batchSize, maximumConcurrency, reportBatchItemFailures, filter, ...rest } = callee
  if (!writing.isFunction(String(name))) {
    writing.missing(`${place}.function`, 'its function cannot be deployed')
    return
  }
  writing.add({
    id: writing.idOf('mappings', `${queue}To${writing.idOf('functions', String(name))}`),
    type: 'AWS::Lambda::EventSourceMapping',
    properties: defined({
      EventSourceArn: arnOf(queue),
      FunctionName: arnOf(writing.idOf('functions', String(name))),
      BatchSize: batchSize,
      MaximumBatchingWindowInSeconds: batchWindow,
      ScalingConfig:
        maximumConcurrency === undefined ? undefined : { MaximumConcurrency: maximumConcurrency },
      FunctionResponseTypes: reportBatchItemFailures === true ? ['ReportBatchItemFailures'] : undefined,
      FilterCriteria:
        filter === undefined
          ? undefined
          : { Filters: listOf(filter).map(pattern => ({ Pattern: JSON.stringify(pattern) })) },
    }),
  })
  writing.rest(place, rest)
}
