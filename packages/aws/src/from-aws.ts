import { shapeOf } from './translation/shape.ts'
import { translations } from './translation/translation.ts'

/**
 * Translates an AWS event into the contract's neutral names: a Cognito trigger, an SQS batch, a WorkMail event or a
 * load-balancer request. It copies the parts that differ, with the same order of keys, and shares the rest. It returns
 * the same event when no name differs.
 *
 * The translation is one to one for every JSON value: `toAws` returns exactly the original. A neutral name that AWS
 * itself sends is therefore escaped; see the table of names. It never throws on JSON.
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
