import { confidentially } from '@signalbox/codec/wire'
import type { Type } from 'io-ts'
import { codecOf } from '../fields/shape-codec.ts'
import type { Trigger, TriggerResponse } from '../trigger-event.ts'
import { triggers } from '../triggers/triggers.ts'

const codecs = new Map<Trigger, Type<unknown, unknown, unknown>>()

/**
 * Returns the codec of a trigger's answer (docs/contract/user-pool.md#verdict). Unknown fields are kept. Problems
 * show no values, because any field may hold a secret.
 * @example
 * ```ts
 * import { responseCodec } from '@signalbox/user-pool/contract'
 *
 * responseCodec('PreSignUp').is({ autoConfirmUser: true }) // true
 * responseCodec('PreSignUp').is({ autoConfirmUser: 'yes' }) // false
 * ```
 */
export function responseCodec<T extends Trigger>(trigger: T): Type<TriggerResponse<T>, unknown, unknown> {
  // The codec is made on first use. A function serves few triggers, so it starts faster without the other codecs.
  const codec =
    codecs.get(trigger) ?? confidentially(codecOf(`${trigger} response`, triggers[trigger].response))
  codecs.set(trigger, codec as never)
  return codec as never
}
