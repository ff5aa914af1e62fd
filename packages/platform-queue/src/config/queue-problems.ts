import type { Problem } from '@signalbox/codec'
import type { UncheckedObject } from '@signalbox/platform-runtime/config'
import { isLoopback } from '@signalbox/platform-runtime/config'
import { queueFields, queueNames } from './queue-config.ts'
import { queueFunctions, requiredVisibilityTimeout } from './queue-settings.ts'

/** Returns the problems of a queue whose fields are valid individually but not in combination. */
export function queueProblems(
  part: UncheckedObject,
  pointer: string,
  functions: UncheckedObject,
  queues: UncheckedObject,
): readonly Problem[] {
  const fifo = pointer.endsWith('.fifo')
  const { batchWindow = 0, visibilityTimeout, deadLetter, engine } = part
  const found: Problem[] = []
  const add = (key: string, expected: string, actual: unknown) =>
    found.push({ pointer: `${pointer}/${key}`, expected, actual: String(actual) })

  const standard = queueFields.batchSize.default
  const sizes = [part, ...queueFunctions(part)].map(({ batchSize = standard }) => Number(batchSize))
  const largest = Math.max(...sizes)
  if (fifo && largest > 10) add('batchSize', 'an integer from 1 to 10 for a FIFO queue', largest)
  if (fifo && Number(batchWindow) > 0) add('batchWindow', 'no window for a FIFO queue', batchWindow)
  if (!fifo && largest > 10 && Number(batchWindow) === 0)
    add('batchWindow', 'a window of at least 1 second for more than 10 messages', batchWindow)
  if (!fifo && part.contentBasedDeduplication === true)
    add('contentBasedDeduplication', 'a FIFO queue, whose name ends in .fifo', true)

  const least = requiredVisibilityTimeout(
    part,
    queueFunctions(part).map(each => functions[String(each.function)]),
  )
  if (typeof visibilityTimeout === 'number' && visibilityTimeout < least)
    add('visibilityTimeout', `at least ${least} seconds, for the function and the window`, visibilityTimeout)

  const target = (deadLetter as UncheckedObject | undefined)?.queue
  if (typeof target === 'string') {
    if (`/queues/${target}` === pointer) add('deadLetter/queue', 'another queue', target)
    else if (target.endsWith('.fifo') !== fifo)
      add('deadLetter/queue', fifo ? 'a FIFO queue' : 'a standard queue', target)
    else if ((queues[target] as UncheckedObject | null | undefined)?.engine !== undefined)
      add('deadLetter/queue', 'a queue that this platform keeps, not one of another engine', target)
    else if (!queueNames.pattern.test(target))
      add('deadLetter/queue', queueNames.expected, JSON.stringify(target.slice(0, 80)))
  }

  if (typeof engine === 'object' && engine !== null) {
    const { endpoint, allowRemote } = engine as UncheckedObject
    if (allowRemote !== true && !(typeof endpoint === 'string' && isLoopback(endpoint)))
      add(
        'engine/allowRemote',
        'true for an engine that is not on this machine, because polling a queue takes its messages',
        allowRemote ?? 'nothing',
      )
    for (const key of ['deadLetter', 'delay', 'retentionPeriod', 'contentBasedDeduplication'])
      if (part[key] !== undefined) add(key, 'no value: the engine decides this', 'a value')
  }
  return found
}
