import { shapeOf } from './translation/shape.ts'
import { translations } from './translation/translation.ts'

/**
 * An AWS event in the contract's neutral words: Cognito trigger, SQS batch, WorkMail or load-balancer event. What
 * differs is copied, in the same order of keys, and the rest is shared with the event, which is not changed. The
 * very event when nothing in it is named differently.
 *
 * One to one for every JSON value whatever: `toAws` answers exactly what this was given. A name in a neutral form
 * that AWS itself sends is therefore not left as it is: see the table. Never throws on any JSON.
 */
export function fromAws(event: unknown): unknown {
  const shape = shapeOf(event)
  return shape === undefined ? event : translations.fromAws[shape](event)
}
