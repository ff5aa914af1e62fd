import { type Described, type Field, type ObjectCodec, object } from '@signalbox/codec/wire'

export type { Described, Field }

/** A table of the contract: its rows by the names of the fields. */
export type Fields = { readonly [name: string]: Field }

/** The codec of the objects that a table describes. Fields that the table does not know are kept. */
export function describedBy<F extends Fields>(name: string, fields: F): ObjectCodec<Described<F>> {
  return object<Described<F>>(name, fields)
}
