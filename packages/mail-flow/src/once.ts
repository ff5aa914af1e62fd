import { compile } from '@signalbox/codec'
import { InvalidOptionError, notAnAnswer, refuseUnknownOptions, type Store } from '@signalbox/core'
import { MailResponse, ruleTimeOutLimit } from './contract/index.ts'
import { shown } from './shown.ts'

export interface OnceOptions {
  readonly store: Store
  /** Milliseconds for which a decision is remembered. Default: the longest rule time-out and an hour. */
  readonly ttl?: number
}

/** Decisions by invocation id, so that a retry gets the one that was made. */
export interface Once {
  /** The decision that was made. */
  recall(invocationId: string): Promise<Decision | undefined>
  /** Keeps a decision unless there is one, and answers the one that counts. */
  remember(invocationId: string, decision: Decision): Promise<Decision>
}

/** What was decided: a response, or in asynchronous mode nothing but that it is done. */
export interface Decision {
  readonly response: MailResponse | undefined
}

/**
 * Decides about each mail once: a retry of an invocation that decided already, which has the same `invocationId`
 * (contract C), gets the same decision, and `decide` is not called. Of two that decide at the same time the first
 * to finish counts for both. For the option `once` of `mailFlow`.
 *
 * @throws InvalidOptionError for an unknown option, no store, or a `ttl` that is not a positive number
 */
export function once(options: OnceOptions): Once {
  if (typeof options?.store?.setIfAbsent !== 'function')
    throw new InvalidOptionError('once() needs a store: once({ store: memoryStore() })')
  refuseUnknownOptions('once()', options, ['store', 'ttl'])
  const { store, ttl = (ruleTimeOutLimit + 60) * 60_000 } = options
  if (!(Number.isFinite(ttl) && ttl > 0))
    throw new InvalidOptionError(`once(): ttl is ${shown(ttl)}, expected milliseconds above 0`)
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

const isResponse = compile(MailResponse)

// A store is shared, so what it gives is looked at like anything that comes from outside. Many a database has null
// for what it does not have.
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
