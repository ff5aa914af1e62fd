import { type Field, type Holds, type ObjectCodec, object } from '@signalbox/codec/wire'

export type { Field }

/** A table of the contract: its rows by the names of the fields. */
export type Fields = { readonly [name: string]: Field }

/** What a table describes. What is not required may be absent or null, which is the same thing. */
export type Described<F extends Fields> = Flat<
  {
    [K in keyof F as F[K] extends Field<unknown, true> ? K : never]: Holds<F[K]>
  } & {
    [K in keyof F as F[K] extends Field<unknown, true> ? never : K]?: Holds<F[K]> | undefined
  }
>

type Flat<T> = { [K in keyof T]: T[K] }

/** The codec of the objects that a table describes. Fields that the table does not know are kept. */
export function describedBy<F extends Fields>(name: string, fields: F): ObjectCodec<Described<F>> {
  return object<Described<F>>(name, fields)
}
