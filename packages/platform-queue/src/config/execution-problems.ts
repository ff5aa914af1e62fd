import { isObject, type Problem } from '@signalbox/codec'
import {
  failureDestinationProblems,
  isDurable,
  type UncheckedObject,
} from '@signalbox/platform-runtime/config'
import { attributeBounds } from '../store/queue-attributes.ts'
import { queueFields } from './queue-config.ts'
import { queueFunctions } from './queue-settings.ts'

/** The longest time in seconds for which a received message can be hidden. */
const longestHold = attributeBounds.visibilityTimeout[1] / 1000

/** The longest time in seconds for which a queue keeps a message. */
const longestRetention = attributeBounds.retentionPeriod[1] / 1000

/** Returns the problems of a queue with an execution for each message. */
export function executionProblems(
  part: UncheckedObject,
  pointer: string,
  functions: UncheckedObject,
  queues: UncheckedObject,
): readonly Problem[] {
  const { executionPerMessage: how, deadLetter } = part
  if (!isObject(how)) return []
  const at = `${pointer}/executionPerMessage`
  const found: Problem[] = []
  const isFifo = pointer.endsWith('.fifo')
  const names = queueFunctions(part).map(each => each.function)
  if (names.length === 0) found.push({ pointer: at, expected: 'a function beside it', actual: 'none' })
  for (const name of names)
    if (Object.hasOwn(functions, String(name)) && !isDurable(name, functions))
      found.push({
        pointer: at,
        expected: 'durable functions only',
        actual: `${JSON.stringify(name)}, which is not durable`,
      })
  if (isFifo && how.deleteAt === 'start')
    found.push({
      pointer: `${at}/deleteAt`,
      expected: 'end for a FIFO queue, whose groups wait for the end of their executions',
      actual: 'start',
    })
  found.push(...failureDestinationProblems(how.onFailure, `${at}/onFailure`, queues))
  if (`/queues/${how.onFailure}` === pointer)
    found.push({ pointer: `${at}/onFailure`, expected: 'another queue', actual: String(how.onFailure) })
  if (how.deleteAt === 'start') return found
  if (isFifo && deadLetter !== undefined)
    found.push({
      pointer: `${pointer}/deadLetter`,
      expected: `no value beside executionPerMessage of a FIFO queue, whose messages are received again while their executions run: set executionPerMessage.onFailure`,
      actual: 'a value',
    })
  const timeouts = names.map(name => timeoutOf(functions[String(name)]))
  const { retentionPeriod = queueFields.retentionPeriod.default, batchWindow = 0 } = part
  const longest = Math.max(0, ...timeouts)
  if (part.engine === undefined && longest > Number(retentionPeriod))
    found.push({
      pointer: part.retentionPeriod === undefined ? at : `${pointer}/retentionPeriod`,
      expected: [
        longest > longestRetention
          ? `functions whose durable.timeout is at most ${longestRetention}`
          : `a retentionPeriod of at least ${longest} seconds, for which an execution can take`,
        ...(isFifo ? [] : ["deleteAt: 'start'"]),
      ].join(', or '),
      actual: String(longest > longestRetention ? longest : retentionPeriod),
    })
  const { maxReceiveCount } = isObject(deadLetter) ? deadLetter : {}
  const hold = longestHold - Number(batchWindow)
  const least = Math.max(0, ...timeouts.map(each => 1 + Math.ceil(each > hold ? each / hold : 0)))
  if (!isFifo && typeof maxReceiveCount === 'number' && maxReceiveCount < least)
    found.push({
      pointer: `${pointer}/deadLetter/maxReceiveCount`,
      expected: `at least ${least}, since a message is received again every 12 hours while its execution runs, and after each restart of its platform`,
      actual: String(maxReceiveCount),
    })
  return found
}

/** Returns how long an execution of a function can take, in seconds. */
function timeoutOf(callee: unknown): number {
  const durable = isObject(callee) ? callee.durable : undefined
  return isObject(durable) ? Number(durable.timeout) || 0 : 0
}
