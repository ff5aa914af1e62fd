import {
  type BeforeMiddleware,
  contractValidator,
  normalizer,
  notAnAnswer,
  type Plugin,
  receiver,
  validator,
} from '@signalbox/core'
import type { MailEvent } from './contract/index.ts'
import type { MailFlowResult } from './decision/decide-mail.ts'
import { decider } from './decision/decider.ts'
import { mailFlowFamily } from './family.ts'
import type { Decide, MailFlowOptions, Mode } from './response/options.ts'
import { serializer } from './response/serializer.ts'

/**
 * Returns the plugin for functions that decide about mail. `decide` gets the mail, a builder for actions, and a signal
 * that aborts when no time is left. It returns the builder, a response as plain data, or nothing, which means DEFAULT
 * for all recipients.
 *
 * A synchronous function has fifteen seconds, minus `reserve` (docs/contract/mail-flow.md#limits.responseTime). After that
 * `onTimeout` decides. Without `onTimeout` the invocation fails, and the platform retries it.
 *
 * @throws InvalidOptionError for invalid options. The invocation fails with the errors of `decide` and of the builder,
 * with InvalidResponseError, or with DecisionTimeoutError.
 * @example
 * export const handler = signalbox(
 *   mailFlow((mail, actions) => (isSpam(mail) ? actions.drop() : actions.default())),
 * )
 */
export function mailFlow<M extends Mode = 'sync'>(
  decide: Decide<M>,
  options: MailFlowOptions<M> = {},
): Plugin<MailFlowResult<M>, MailEvent> {
  const plain = options as MailFlowOptions<Mode>
  return notAnAnswer('a plugin', {
    family: mailFlowFamily,
    middlewares: [receiver(mailFlowFamily, contractValidator(mailFlowFamily)), serializer(plain, true)],
    handler: decider('mailFlow()', decide as Decide<Mode>, plain),
  })
}

/**
 * Returns the middleware that normalizes mail-flow events, so that later middlewares see one shape.
 * @example
 * ```ts
 * import middy from '@middy/core'
 * import { mailFlowNormalizer } from '@signalbox/mail-flow'
 * import type { MailEvent } from '@signalbox/mail-flow/contract'
 *
 * export const handler = middy()
 *   .use(mailFlowNormalizer())
 *   .handler((event: MailEvent) => console.log(event.envelope.recipients.length))
 * ```
 */
export function mailFlowNormalizer(): BeforeMiddleware<MailEvent> {
  return normalizer(mailFlowFamily)
}

/**
 * Returns the middleware that checks mail-flow events. Its hook throws InvalidEventError.
 * @example
 * ```ts
 * import middy from '@middy/core'
 * import { decideMail, mailFlowNormalizer, mailFlowSerializer, mailFlowValidator } from '@signalbox/mail-flow'
 *
 * export const handler = middy()
 *   .use([mailFlowNormalizer(), mailFlowValidator(), mailFlowSerializer()])
 *   .handler(decideMail((mail, actions) => (mail.inbound ? actions.default() : actions.drop())))
 * ```
 */
export function mailFlowValidator(): BeforeMiddleware<MailEvent> {
  return validator(mailFlowFamily)
}
