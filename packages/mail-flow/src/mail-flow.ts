import { normalizer, notAnAnswer, type Plugin, validator } from '@signalbox/core'
import type { MailFlowResult } from './decide-mail.ts'
import { decider } from './decider.ts'
import { mailFlowFamily } from './family.ts'
import type { Decide, MailFlowOptions, Mode } from './options.ts'
import { serializer } from './serializer.ts'

/**
 * Decides about mail, for `signalbox(…)`. `decide` is given the mail, a builder for actions and a signal that is
 * aborted when there is no time left; it answers the builder, a response as plain data, or nothing, which means
 * DEFAULT for everyone.
 *
 * A synchronous function has fifteen seconds less `reserve` (contract, Limits, "Mail flow, synchronous"). Then
 * `onTimeout` decides; without it the invocation fails, and the platform tries again.
 *
 * @throws InvalidOptionError at once, for options that cannot be meant. The invocation fails with what `decide`
 * throws, the builder's errors, InvalidResponseError, or DecisionTimeoutError.
 */
export function mailFlow<M extends Mode = 'sync'>(
  decide: Decide<M>,
  options: MailFlowOptions<M> = {},
): Plugin<MailFlowResult<M>> {
  const plain = options as MailFlowOptions<Mode>
  return notAnAnswer('a plugin', {
    family: mailFlowFamily,
    middlewares: [normalizer(mailFlowFamily), validator(mailFlowFamily), serializer(plain)],
    handler: decider('mailFlow()', decide as Decide<Mode>, plain),
  })
}
