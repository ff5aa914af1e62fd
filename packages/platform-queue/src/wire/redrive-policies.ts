import { isObject } from '@signalbox/codec'
import { queueOfResourceName } from '../resource-name.ts'
import type { DeadLetter, RedriveAllow } from '../store/queue-attributes.ts'
import { invalidValue } from '../store/queue-store-error.ts'

/**
 * Reads a RedrivePolicy. An empty string removes it.
 * @throws QueueStoreError for an invalid policy
 */
export function readRedrivePolicy(text: string): DeadLetter | undefined {
  if (text === '') return undefined
  const refuse = (reason: string) => invalidValue(text, 'RedrivePolicy', reason)
  const policy = readObject(text)
  if (policy === undefined) throw refuse('Redrive policy is not a valid JSON map.')
  const { deadLetterTargetArn: target, maxReceiveCount: count } = policy
  const [missing] = Object.entries({ deadLetterTargetArn: target, maxReceiveCount: count }).find(
    ([, value]) => value === undefined,
  ) ?? [undefined]
  if (missing !== undefined) throw refuse(`Redrive policy does not contain mandatory attribute: ${missing}.`)
  const queue = typeof target === 'string' ? queueOfResourceName(target) : undefined
  if (queue === undefined) throw refuse('Invalid value for deadLetterTargetArn.')
  if (!/^\d{1,9}$/.test(String(count)))
    throw refuse(
      `Invalid value for maxReceiveCount: ${count}, valid values are from 1 to 1000 both inclusive.`,
    )
  return { queue, maxReceiveCount: Number(count) }
}

export function writeRedrivePolicy(
  { queue, maxReceiveCount }: DeadLetter,
  resourceNameOf: (queue: string) => string,
): string {
  return JSON.stringify({ deadLetterTargetArn: resourceNameOf(queue), maxReceiveCount })
}

/** The maximum number of queues that a policy may name. */
const sourceLimit = 10

/**
 * Reads a RedriveAllowPolicy, which says which queues may use a queue as their dead-letter queue. An empty string
 * removes it.
 * @throws QueueStoreError for an invalid policy
 */
export function readRedriveAllowPolicy(text: string): RedriveAllow | undefined {
  if (text === '') return undefined
  const refuse = (reason: string) => invalidValue(text, 'RedriveAllowPolicy', reason)
  const policy = readObject(text)
  if (policy === undefined) throw refuse('Redrive allow policy is not a valid JSON map.')
  const { redrivePermission: permission, sourceQueueArns: sources } = policy
  if (permission === 'allowAll' || permission === 'denyAll') {
    if (sources !== undefined) throw refuse(`sourceQueueArns is not allowed with ${permission}.`)
    return { permission }
  }
  if (permission !== 'byQueue') throw refuse('redrivePermission must be allowAll, denyAll or byQueue.')
  const queues = Array.isArray(sources)
    ? sources.map(each => (typeof each === 'string' ? queueOfResourceName(each) : undefined))
    : []
  if (queues.length === 0 || queues.length > sourceLimit || queues.includes(undefined))
    throw refuse(`sourceQueueArns must be a list of 1 to ${sourceLimit} ARNs of queues.`)
  return { permission, queues: queues as string[] }
}

export function writeRedriveAllowPolicy(
  allow: RedriveAllow,
  resourceNameOf: (queue: string) => string,
): string {
  const { permission: redrivePermission } = allow
  if (allow.permission !== 'byQueue') return JSON.stringify({ redrivePermission })
  return JSON.stringify({ redrivePermission, sourceQueueArns: allow.queues.map(resourceNameOf) })
}

function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
