import { type Described, type Field, type ObjectCodec, object } from '@signalbox/codec/wire'

export type { Described, Field }

/** The rows of a table of the contract, by field name. */
export type Fields = { readonly [name: string]: Field }

/** Returns the codec of objects that a table describes. It keeps unknown fields. */
export function describedBy<F extends Fields>(name: string, fields: F): ObjectCodec<Described<F>> {
  return object<Described<F>>(name, fields)
}
