import { type Invocation, type InvocationContext, notAnAnswer } from '@signalbox/core'
import type { MailEvent, MailResponse } from './contract/index.ts'
import { decider } from './decider.ts'
import type { Decide, MailFlowOptions, Mode } from './options.ts'
import { finish } from './serializer.ts'

/** What a mail-flow function answers: in asynchronous mode, nothing. */
export type MailFlowResult<M extends Mode> = M extends 'async' ? undefined : MailResponse

/**
 * The handler of `mailFlow` by itself, for those who have a middy stack already: it wants normalized, valid events,
 * and what it answers keeps the contract.
 *
 * @throws InvalidOptionError at once, for options that cannot be meant. The handler fails with what `decide`
 * throws, the builder's errors, InvalidResponseError for a plain response that breaks the contract, and
 * DecisionTimeoutError when there is no decision in time and no `onTimeout`.
 */
export function decideMail<M extends Mode = 'sync'>(
  decide: Decide<M>,
  options: MailFlowOptions<M> = {},
): (event: MailEvent, context?: InvocationContext, invocation?: Invocation) => Promise<MailFlowResult<M>> {
  const plain = options as MailFlowOptions<Mode>
  const run = decider('decideMail()', decide as Decide<Mode>, plain)
  const handler = async (event: MailEvent, context?: InvocationContext, invocation?: Invocation) => {
    const decision = await run(event, context, invocation)
    return (plain.mode === 'async' ? undefined : finish(decision, event, plain)) as MailFlowResult<M>
  }
  return notAnAnswer('a handler', handler)
}
