import { kindOf } from '@signalbox/codec'
import { readPayload } from '@signalbox/core/payload'
import type { QueueEnvelope } from './event.ts'

/** What the platform concludes from the answer of a queue function, and why, in words. */
export type BatchVerdict =
  /** Every message is deleted from the queue. */
  | { readonly kind: 'success'; readonly why: string }
  /** Every message comes back. */
  | { readonly kind: 'failure'; readonly why: string }
  /** The messages with these ids come back, each named once; the others are deleted. */
  | { readonly kind: 'partial'; readonly why: string; readonly failed: readonly string[] }

/**
 * What the platform makes of a payload (contract, States and transitions, and Errors). Never throws, whatever
 * the payload. Where the contract says nothing, namely for a payload that is no object and for a
 * `batchItemFailures` that is no list, the whole batch failed: messages are kept rather than lost.
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
      return failure(`${where}.itemIdentifier is the id of no message in the batch: ${quote(id)}`)
    failed.add(id)
  }
  return { kind: 'partial', why: `batchItemFailures names ${failed.size} of the batch`, failed: [...failed] }
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
  const shown = keys.slice(0, 3).map(quote).join(', ')
  return `, only ${shown}${keys.length > 3 ? ` and ${keys.length - 3} more` : ''}`
}

function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}
