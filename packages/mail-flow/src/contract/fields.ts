import type * as wire from '@signalbox/codec/wire'
import { type Field, type ObjectCodec, object } from '@signalbox/codec/wire'

export type { Field }

/** A table of the contract: its rows by field name. */
export type Fields = { readonly [name: string]: Field }

/** The type that a table describes. An optional field may be absent or null, with the same meaning. */
export type Described<F extends Fields> = Readonly<wire.Described<F>>

/**
 * Returns the codec of the objects that a table describes. Unknown fields are kept.
 * @example
 * ```ts
 * import { clientFields, describedBy } from '@signalbox/mail-flow/contract'
 *
 * const Client = describedBy('client', clientFields)
 * Client.is('127.0.0.1') // false
 * ```
 */
export function describedBy<F extends Fields>(name: string, fields: F): ObjectCodec<Described<F>> {
  return object<Described<F>>(name, fields)
}
