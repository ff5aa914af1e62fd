import type * as wire from '@signalbox/codec/wire'
import { type Field, type ObjectCodec, object } from '@signalbox/codec/wire'

export { extension, type Field, omittable, optional, required } from '@signalbox/codec/wire'

/** The fields that a table in the contract describes, by name. */
export interface Fields {
  readonly [name: string]: Field
}

/** The type of the objects that a table of fields describes. */
export type Described<F extends Fields> = Readonly<wire.Described<F>>

/** Returns the codec of an object with these fields. The codec keeps unknown fields. */
export function objectOf<F extends Fields>(name: string, fields: F): ObjectCodec<Described<F>> {
  return object<Described<F>>(name, fields)
}
