import { kindOf } from '@signalbox/codec'
import { readPayload } from '@signalbox/core/payload'
import type { QueueEnvelope } from './event.ts'

/** The effect that the response of a queue function has on the messages of the batch, with the reason. */
export type BatchVerdict =
  /** The platform deletes every message. */
  | { readonly kind: 'success'; readonly why: string }
  /** The platform redelivers every message. */
  | { readonly kind: 'failure'; readonly why: string }
  /** The platform redelivers the messages with these ids, each listed once, and deletes all other messages. */
  | { readonly kind: 'partial'; readonly why: string; readonly failed: readonly string[] }

/**
 * Returns the platform's verdict about a payload. See docs/contract/queue.md#verdict. It never throws. The contract
 * does not define the verdict about a payload that is not an object or a `batchItemFailures` that is not a list. In
 * these cases the whole batch fails, so that no message is lost.
 * @example
 * ```ts
 * import { batchVerdict } from '@signalbox/queue/contract'
 * import { queueEvent } from '@signalbox/queue/testing'
 *
 * batchVerdict('{"batchItemFailures":[]}', queueEvent({ bodies: ['a'] })).kind // 'success'
 * ```
 */
export function batchVerdict(payload: string, event: QueueEnvelope): BatchVerdict {
  const answer = readPayload(payload)
  if (answer.kind === 'malformed') return failure(answer.why)
  if (answer.kind === 'error') return failure(`the invocation failed: ${answer.errorMessage}`)
  const { value } = answer
  if (value === undefined) return success('the response is empty')
  if (value === null) return success('the response is null')
  if (typeof value !== 'object' || Array.isArray(value))
    return failure(`the response is ${kindOf(value)}, not an object`)

  const failures: unknown = (value as Record<string, unknown>).batchItemFailures
  if (failures === undefined) return success(withoutList(value))
  if (failures === null) return success('batchItemFailures is null')
  if (!Array.isArray(failures)) return failure(`batchItemFailures is ${kindOf(failures)}, not a list`)
  if (failures.length === 0) return success('batchItemFailures is empty')
  return listed(failures, event)
}

function listed(failures: readonly unknown[], event: QueueEnvelope): BatchVerdict {
  const known = new Set<string>()
  for (const record of event.Records) known.add(record.messageId)
  const failed = new Set<string>()
  for (const [position, item] of failures.entries()) {
    const where = `batchItemFailures[${position}]`
    if (typeof item !== 'object' || item === null)
      return failure(`${where} is ${kindOf(item)}, not an object with an itemIdentifier`)
    const id: unknown = (item as Record<string, unknown>).itemIdentifier
    if (id === undefined) return failure(`${where} has no itemIdentifier${keysOf(item)}`)
    if (typeof id !== 'string') return failure(`${where}.itemIdentifier is ${kindOf(id)}, not text`)
    if (id === '') return failure(`${where}.itemIdentifier is empty`)
    if (!known.has(id))
      return failure(`${where}.itemIdentifier is not the id of a message in the batch: ${quote(id)}`)
    failed.add(id)
  }
  return {
    kind: 'partial',
    why: `batchItemFailures lists ${failed.size} ${failed.size === 1 ? 'message' : 'messages'} of the batch`,
    failed: [...failed],
  }
}

const success = (why: string): BatchVerdict => ({ kind: 'success', why })
const failure = (why: string): BatchVerdict => ({ kind: 'failure', why })

function withoutList(value: object): string {
  return Object.keys(value).length === 0
    ? 'the response is an empty object'
    : `the response has no batchItemFailures${keysOf(value)}`
}

function keysOf(value: object): string {
  const keys = Object.keys(value)
  if (keys.length === 0) return ''
  const named = keys.slice(0, 3).map(quote).join(', ')
  return `, only ${named}${keys.length > 3 ? ` and ${keys.length - 3} more` : ''}`
}

function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}
