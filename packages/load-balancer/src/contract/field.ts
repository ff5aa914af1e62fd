import type * as wire from '@signalbox/codec/wire'
import { type Field, type ObjectCodec, object } from '@signalbox/codec/wire'

export { extension, type Field, omittable, optional, required } from '@signalbox/codec/wire'

/** A table of the contract: its fields by name. */
export interface Fields {
  readonly [name: string]: Field
}

/** The type that a table describes. */
export type Described<F extends Fields> = Readonly<wire.Described<F>>

/** Returns the codec of an object with these fields. It keeps other fields. */
export function objectOf<F extends Fields>(name: string, fields: F): ObjectCodec<Described<F>> {
  return object<Described<F>>(name, fields)
}
