import { type Invocation, type InvocationContext, notAnAnswer } from '@signalbox/core'
import type { MailEvent, MailResponse } from '../contract/index.ts'
import type { Decide, MailFlowOptions, Mode } from '../response/options.ts'
import { finish } from '../response/serializer.ts'
import { decider } from './decider.ts'

/** The result of a mail-flow function. It is undefined in asynchronous mode. */
export type MailFlowResult<M extends Mode> = M extends 'async' ? undefined : MailResponse

/**
 * Returns only the handler of `mailFlow`, without its middlewares, for an existing middy stack. It expects
 * normalized, valid events. Its responses are valid.
 *
 * @throws InvalidOptionError for invalid options. The handler rejects with errors of `decide` and of the builder, with
 * InvalidResponseError for a plain response that breaks the contract, and with DecisionTimeoutError when there is no
 * decision in time and no `onTimeout`.
 * @example
 * middy().use([mailFlowNormalizer(), mailFlowValidator()]).handler(decideMail((mail, actions) => actions.drop()))
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
