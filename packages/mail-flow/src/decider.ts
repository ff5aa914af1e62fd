import {
  deadline,
  InvalidOptionError,
  InvalidResponseError,
  type Invocation,
  type InvocationContext,
  inDevelopment,
} from '@signalbox/core'
import { heldBy, type MailActions, mailActions } from './actions.ts'
import { beforeDeadline } from './before-deadline.ts'
import { checkResponse, route } from './check-response.ts'
import { type MailEvent, responseTimeLimit } from './contract/index.ts'
import { DecisionTimeoutError } from './errors.ts'
import { mailOf } from './mail.ts'
import { checkOptions, type Decide, type MailFlowOptions, type Mode } from './options.ts'
import { responseOf } from './response-of.ts'
import { warn } from './serializer.ts'

/** Decides about the mail of an event. What it answers is unchecked, unless it was to be remembered. */
export type Decider = (event: MailEvent, context?: InvocationContext, invocation?: Invocation) => unknown

/** @throws InvalidOptionError for options that cannot be meant */
export function decider(where: string, decide: Decide<Mode>, options: MailFlowOptions<Mode>): Decider {
  checkOptions(where, options)
  if (typeof decide !== 'function')
    throw new InvalidOptionError(`${where} takes the function that decides first, then the options`)
  const {
    mode = 'sync',
    overflow = 'refuse',
    reserve = 500,
    onTimeout,
    onNotes = warn,
    once,
    clock,
  } = options
  const limit = mode === 'sync' ? responseTimeLimit : Number.POSITIVE_INFINITY
  const timing = { reserve, limit, ...(clock ? { clock } : {}) }

  const responseTo = (decision: unknown, actions: MailActions): unknown => {
    const nothing = decision === undefined || decision === null
    const forgotten = nothing && heldBy(actions)?.() !== undefined
    if (mode === 'async') {
      if ((forgotten || !nothing) && inDevelopment()) throw pointless()
      return undefined
    }
    if (forgotten) throw unreturned()
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
    const mail = mailOf(event, own, options)
    const decideNow = (): unknown => {
      const actions = mailActions(event, { overflow })
      const decision = decide(mail, actions, own)
      return isPromise(decision)
        ? Promise.resolve(decision).then(settled => responseTo(settled, actions))
        : responseTo(decision, actions)
    }
    const remember = async (response: unknown): Promise<unknown> => {
      const checked = mode === 'sync' ? checkResponse(response, event, overflow) : undefined
      try {
        return (await once!.remember(event.invocationId, { response: checked })).response
      } catch (error) {
        // Decided it is, so the platform gets its answer; only a retry would have to decide again.
        const message = `The decision about this mail could not be remembered: ${String(error)}`
        onNotes([{ kind: 'forgotten', recipients: [], message }], event)
        return response
      }
    }
    const decideOnce = async (): Promise<unknown> => {
      const known = await once!.recall(event.invocationId)
      return known === undefined ? remember(await decideNow()) : known.response
    }
    const remembers = once !== undefined && event.invocationId !== ''
    const late = (): unknown => {
      if (onTimeout === undefined) throw new DecisionTimeoutError()
      const actions = mailActions(event, { overflow })
      const response = responseTo(onTimeout(mail, actions), actions)
      if (remembers) remember(response).catch(() => {})
      return response
    }
    let work: unknown
    try {
      work = remembers ? decideOnce() : decideNow()
    } catch (error) {
      time.end()
      throw error
    }
    if (work instanceof Promise) return beforeDeadline(work, own.signal, late).finally(() => time.end())
    time.end()
    return work
  }
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

function unreturned(): InvalidResponseError {
  const expected = 'the builder, since actions were asked of it: return it'
  return new InvalidResponseError(route, [{ pointer: '', expected, actual: 'nothing' }])
}

function pointless(): InvalidResponseError {
  const expected = 'nothing, since what an asynchronous invocation answers has no effect'
  return new InvalidResponseError(route, [{ pointer: '', expected, actual: 'a decision' }])
}
