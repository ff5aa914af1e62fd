import type * as wire from '@signalbox/codec/wire'
import { type Field, type ObjectCodec, object } from '@signalbox/codec/wire'

export type { Field }

/** A table of the contract: its rows by the names of the fields. */
export type Fields = { readonly [name: string]: Field }

/** What a table describes. An optional field may be absent or null, which is the same. */
export type Described<F extends Fields> = Readonly<wire.Described<F>>

/** The codec of the objects that a table describes. Fields that the table does not know are kept. */
export function describedBy<F extends Fields>(name: string, fields: F): ObjectCodec<Described<F>> {
  return object<Described<F>>(name, fields)
}
