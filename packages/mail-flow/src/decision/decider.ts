import {
  deadline,
  InvalidOptionError,
  type Invocation,
  type InvocationContext,
  inDevelopment,
  isThenable,
  systemClock,
} from '@signalbox/core'
import { type MailEvent, responseTimeLimit } from '../contract/index.ts'
import { describeValue } from '../describe-value.ts'
import { DecisionTimeoutError } from '../errors.ts'
import { mailOf } from '../mail/mail.ts'
import { builder, heldBy, type MailActions } from '../response/actions.ts'
import { checkOptions } from '../response/check-options.ts'
import { checkResponse, invalidAnswer } from '../response/check-response.ts'
import type { Once } from '../response/once.ts'
import type { Decide, MailFlowOptions, Mode } from '../response/options.ts'
import { responseOf } from '../response/response-of.ts'
import { warn } from '../response/serializer.ts'
import { beforeDeadline } from './before-deadline.ts'

/** Decides what happens to the mail of an event. The result has not been checked, unless it comes from the store. */
export type Decider = (event: MailEvent, context?: InvocationContext, invocation?: Invocation) => unknown

/** @throws InvalidOptionError for invalid options */
export function decider(where: string, decide: Decide<Mode>, options: MailFlowOptions<Mode>): Decider {
  if (typeof decide !== 'function')
    throw new InvalidOptionError(`${where} expects the function decide, then the options`)
  checkOptions(where, options)
  const { mode, overflow, reserve = 500, onTimeout, onWarnings = warn, clock = systemClock } = options
  const asynchronous = mode === 'async'
  const timing = { reserve, limit: asynchronous ? Number.POSITIVE_INFINITY : responseTimeLimit, clock }

  const responseTo = (decision: unknown, actions: MailActions): unknown => {
    const nothing = decision === undefined || decision === null
    const forgotten = nothing && heldBy(actions)?.() !== undefined
    if (asynchronous) {
      if ((forgotten || !nothing) && inDevelopment())
        throw invalidAnswer('nothing, because asynchronous responses have no effect', 'a decision')
      return undefined
    }
    if (forgotten) throw invalidAnswer('the builder, because it has actions: return it', 'nothing')
    return responseOf(decision)
  }

  return (event, context, invocation) => {
    const time = deadline(context, timing)
    let signal: AbortSignal | undefined
    const own = {
      get signal() {
        signal ??= invocation ? AbortSignal.any([time.signal, invocation.signal]) : time.signal
        return signal
      },
    }
    let isChanged = false
    const mail = mailOf(event, own, options, () => {
      isChanged = true
    })
    // An empty id does not identify an invocation, so its decision is not stored.
    const once = event.invocationId === '' ? undefined : options.once
    // The decision, which is set while it is being stored.
    let decided: { readonly response: unknown } | undefined

    const decideBy = (decider: typeof decide): unknown => {
      const actions = builder(event, overflow)
      const decision = decider(mail, actions, own)
      return isThenable(decision)
        ? Promise.resolve(decision).then(settled => responseTo(settled, actions))
        : responseTo(decision, actions)
    }
    // The platform still gets the decision, but a retry would have to decide again.
    const forgotten = (why: string): void => {
      const message = `The decision about this mail could not be stored: ${why}`
      onWarnings([{ kind: 'forgotten', recipients: [], message }], event)
    }
    const remember = async (memory: Once, answer: unknown): Promise<unknown> => {
      const response = asynchronous ? undefined : checkResponse(answer, event, overflow)
      decided = { response }
      try {
        return (await memory.remember(event.invocationId, { response })).response ?? response
      } catch (error) {
        forgotten(error instanceof Error ? String(error) : describeValue(error))
        return response
      }
    }
    const decideOnce = async (memory: Once): Promise<unknown> => {
      const known = await memory.recall(event.invocationId)
      // A stored record without a response comes from an asynchronous invocation, and contains no decision.
      const counts = known !== undefined && (asynchronous || known.response !== undefined)
      if (counts) return known.response
      const answer = await decideBy(decide)
      // A retry that gets the stored decision would not change the mail.
      return isChanged ? answer : remember(memory, answer)
    }
    const late = (): unknown => {
      if (decided !== undefined) {
        forgotten('the store did not respond in time')
        return decided.response
      }
      if (onTimeout === undefined) throw new DecisionTimeoutError()
      const response = decideBy(onTimeout)
      if (once && !isChanged)
        Promise.resolve(response)
          .then(settled => remember(once, settled))
          .catch(() => {})
      return response
    }
    let work: unknown
    try {
      work = once ? decideOnce(once) : decideBy(decide)
    } catch (error) {
      time.end()
      throw error
    }
    if (work instanceof Promise) return beforeDeadline(work, own.signal, late).finally(() => time.end())
    time.end()
    return work
  }
}
