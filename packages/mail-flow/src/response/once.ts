import { InvalidOptionError, notAnAnswer, refuseUnknownOptions, type Store } from '@signalbox/core'
import { type MailResponse, ruleTimeOutLimit } from '../contract/index.ts'
import { readyResponse } from '../contract/ready.ts'
import { describeValue } from '../describe-value.ts'

/** Options of `once`. */
export interface OnceOptions {
  /** The store of decisions: `memoryStore()`, `keyvStore(keyv)` or your own store. */
  readonly store: Store
  /**
   * The number of milliseconds for which a decision is stored. Default: five hours, which is the longest
   * rule time-out and one more hour.
   */
  readonly ttl?: number
}

/** Stores decisions by invocation id, for retries. */
export interface Once {
  /** Returns the stored decision, or undefined. */
  recall(invocationId: string): Promise<Decision | undefined>
  /** Stores a decision, unless there is already one for the invocation. Returns the stored decision. */
  remember(invocationId: string, decision: Decision): Promise<Decision>
}

/** A decision: a response, or undefined in asynchronous mode. */
export interface Decision {
  readonly response: MailResponse | undefined
}

/**
 * Lets `mailFlow` make each decision only once, with its option `once`. A retry has the same `invocationId` and returns
 * the stored decision without calling `decide`. If two invocations decide at the same time, both return the first
 * decision.
 *
 * @throws InvalidOptionError for an unknown option, a missing store, or a `ttl` that is not a positive number
 * @example
 * mailFlow(decide, { once: once({ store: memoryStore() }) })
 */
export function once(options: OnceOptions): Once {
  if (typeof options?.store?.setIfAbsent !== 'function')
    throw new InvalidOptionError('once() needs a store: once({ store: memoryStore() })')
  refuseUnknownOptions('once()', options, ['store', 'ttl'])
  const { store, ttl = (ruleTimeOutLimit + 60) * 60_000 } = options
  if (!(Number.isFinite(ttl) && ttl > 0))
    throw new InvalidOptionError(`once(): ttl is ${describeValue(ttl)}, expected milliseconds above 0`)
  const recall = async (invocationId: string) => read(await store.get(keyOf(invocationId)))
  return notAnAnswer('a memory of decisions', {
    recall,
    async remember(invocationId, decision) {
      const text = JSON.stringify(decision.response ?? null)
      if (await store.setIfAbsent(keyOf(invocationId), text, ttl)) return decision
      return (await recall(invocationId)) ?? decision
    },
  })
}

const keyOf = (invocationId: string) => `mail-flow:${invocationId}`

const isResponse = readyResponse.is

// Reads a stored decision. The value is checked, because other programs may use the same store, and some databases
// return null for a missing value.
function read(text: unknown): Decision | undefined {
  if (typeof text !== 'string') return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (value === null) return { response: undefined }
    return isResponse(value) ? { response: value } : undefined
  } catch {
    return undefined
  }
}
