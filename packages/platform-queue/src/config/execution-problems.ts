import { isObject, type Problem } from '@signalbox/codec'
import {
  failureDestinationProblems,
  isDurable,
  type UncheckedObject,
} from '@signalbox/platform-runtime/config'
import { attributeBounds } from '../store/queue-attributes.ts'
import { queueFunctions } from './queue-settings.ts'

/** The longest time in seconds for which a received message can be hidden. */
const longestHold = attributeBounds.visibilityTimeout[1] / 1000

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
  const { maxReceiveCount } = isObject(deadLetter) ? deadLetter : {}
  const least = Math.max(
    0,
    ...names.map(name => 1 + Math.ceil(timeoutOf(functions[String(name)]) / longestHold)),
  )
  if (how.deleteAt !== 'start' && typeof maxReceiveCount === 'number' && maxReceiveCount < least)
    found.push({
      pointer: `${pointer}/deadLetter/maxReceiveCount`,
      expected: `at least ${least}, since a message is received again every 12 hours while its execution runs`,
      actual: String(maxReceiveCount),
    })
  return found
}

function timeoutOf(callee: unknown): number {
  const durable = isObject(callee) ? callee.durable : undefined
  const timeout = isObject(durable) ? Number(durable.timeout) : 0
  return timeout > longestHold ? timeout : 0
}
