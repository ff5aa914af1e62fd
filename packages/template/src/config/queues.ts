import { isObject, kindOf } from '@signalbox/codec'
import { type Place, wrongAt } from '../document/template-error.ts'
import { byName, functionNamed, queueName, queueNamed } from '../resources/resource-names.ts'
import type { Resource } from '../resources/stack.ts'
import type { Warnings } from '../resources/warnings.ts'
import { defined, type Part } from './config.ts'
import type { OptionPlaces } from './option-places.ts'

/** Returns the configurations of queues by name, with the functions that get their messages. */
export function queuesOf(
  queues: readonly Resource[],
  mappings: readonly Resource[],
  functions: ReadonlySet<string>,
  places: OptionPlaces,
  warnings: Warnings,
): { readonly [name: string]: Part } {
  const names = byName(queues, 'QueueName', queueName)
  const found = new Map<string, Part>(
    [...names].map(([name, queue]) => [name, queueOf(queue, names, warnings)]),
  )
  for (const [name, { properties }] of names) places.add('queues', ['queues', name], properties.place)
  const callees = new Map<string, { readonly callee: Part; readonly place: Place }[]>()
  for (const mapping of mappings) {
    const { id, properties } = mapping
    const source = properties.text('EventSourceArn')
    const callee = calleeOf(mapping)
    const queue = source === undefined ? undefined : queueNamed(source)
    if (queue === undefined || !found.has(queue)) {
      warnings.missing(`${id} brings no messages, because its source is not a queue of this template.`)
      continue
    }
    if (callee === undefined || properties.flag('Enabled') === false) continue
    if (functions.has(String(callee.function)))
      callees.set(queue, [...(callees.get(queue) ?? []), { callee, place: properties.place }])
    else warnings.missing(`${id} brings no messages, because ${callee.function} does not run.`)
  }
  return Object.fromEntries(
    [...found].map(([name, queue]) => {
      const found = callees.get(name) ?? []
      const of = found.map(({ callee }) => callee)
      if (found[0] !== undefined) places.addAmong('mappings', ['queues', name], found[0].place)
      for (const [at, { place }] of found.entries())
        places.add('mappings', ['queues', name, 'functions', at], place)
      const [{ batchWindow, ...first } = {} as Part, ...rest] = of
      const window = batchWindow === undefined ? {} : { batchWindow }
      if (rest.length === 0) return [name, { ...queue, ...window, ...first }]
      return [name, { ...queue, ...window, functions: of.map(({ batchWindow: _, ...each }) => each) }]
    }),
  )
}

function queueOf(
  { id, properties }: Resource,
  names: ReadonlyMap<string, Resource>,
  warnings: Warnings,
): Part {
  const name = properties.text('QueueName')
  if (properties.flag('FifoQueue') && name !== undefined && !name.endsWith('.fifo'))
    throw wrongAt([...properties.place, 'QueueName'], 'a name that ends in .fifo', name)
  const redrive = properties.value('RedrivePolicy')
  const policy = typeof redrive === 'string' ? parsed(redrive) : redrive
  const place = [...properties.place, 'RedrivePolicy']
  if (policy !== undefined && !isObject(policy)) throw wrongAt(place, 'an object', 'another value')
  return defined({
    visibilityTimeout: properties.number('VisibilityTimeout'),
    delay: properties.number('DelaySeconds'),
    retentionPeriod: properties.number('MessageRetentionPeriod'),
    contentBasedDeduplication: properties.flag('ContentBasedDeduplication'),
    deadLetter: policy && deadLetterOf(policy, place, id, names, warnings),
  })
}

function deadLetterOf(
  { deadLetterTargetArn, maxReceiveCount }: Part,
  place: Place,
  id: string,
  names: ReadonlyMap<string, Resource>,
  warnings: Warnings,
): Part | undefined {
  const count = Number(maxReceiveCount)
  if (typeof deadLetterTargetArn !== 'string')
    throw wrongAt([...place, 'deadLetterTargetArn'], 'the ARN of a queue', kindOf(deadLetterTargetArn))
  if (!Number.isInteger(count))
    throw wrongAt([...place, 'maxReceiveCount'], 'a number', kindOf(maxReceiveCount))
  const queue = deadLetterTargetArn.split(':').at(-1)!
  if (names.has(queue)) return { queue, maxReceiveCount: count }
  warnings.missing(`${id} has no dead-letter queue here, because ${queue} is not a queue of this template.`)
  return undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Returns how a function gets messages, or undefined when the function is not named here. */
function calleeOf({ properties }: Resource): Part | undefined {
  const name = properties.text('FunctionName')
  const patterns = properties.object('FilterCriteria')?.list('Filters') ?? []
  const filter = patterns.map(each => {
    const pattern = each.text('Pattern') ?? '{}'
    const found = parsed(pattern)
    if (!isObject(found))
      throw wrongAt([...each.place, 'Pattern'], 'a pattern in JSON', JSON.stringify(pattern))
    return found
  })
  const reports = properties.texts('FunctionResponseTypes')?.includes('ReportBatchItemFailures')
  const part = defined({
    function: name === undefined ? undefined : functionNamed(name),
    batchSize: properties.number('BatchSize'),
    batchWindow: properties.number('MaximumBatchingWindowInSeconds'),
    maximumConcurrency: properties.object('ScalingConfig')?.number('MaximumConcurrency'),
    reportBatchItemFailures: reports ? true : undefined,
    filter: filter.length === 0 ? undefined : filter,
  })
  return part.function === undefined ? undefined : part
}
