import { shapeOf } from './translation/shape.ts'
import { translations } from './translation/translation.ts'

/**
 * Translates an AWS event into the contract's neutral names: a Cognito trigger, an SQS batch, a WorkMail event or a
 * load-balancer request. It copies only the parts that change, and keeps the order of keys. It returns the same event
 * when no name changes.
 *
 * `toAws` reverses this translation exactly, for every JSON value. For this reason, a neutral name that AWS itself
 * sends is escaped. `fromAws` never throws for JSON values.
 * @example
 * ```ts
 * import { fromAws } from '@signalbox/aws'
 *
 * fromAws({ Records: [{ eventSource: 'aws:sqs', awsRegion: 'eu-central-1' }] })
 * // { Records: [{ eventSource: 'cloud:queue', cloudRegion: 'eu-central-1' }] }
 * ```
 */
export function fromAws(event: unknown): unknown {
  const shape = shapeOf(event)
  return shape === undefined ? event : translations.fromAws[shape](event)
}
