import * as t from 'io-ts'

/** One row of a table of the contract. */
export interface Field {
  readonly codec: t.Mixed
  readonly required: boolean
  readonly meaning: string
  /** Set where the contract is silent and Signalbox decided. */
  readonly extension?: true
}

/** A table of the contract: its rows by the names of the fields. */
export type Fields = Readonly<Record<string, Field>>

/** What a table describes. What is not required may be absent or null, which is the same thing. */
export type Described<F extends Fields> = Flat<
  {
    [K in keyof F as F[K]['required'] extends true ? K : never]: t.TypeOf<F[K]['codec']>
  } & {
    [K in keyof F as F[K]['required'] extends true ? never : K]?: t.TypeOf<F[K]['codec']> | null | undefined
  }
>

type Flat<T> = { [K in keyof T]: T[K] }

/** The codec of the objects that a table describes. Fields that the table does not know are kept. */
export function describedBy<F extends Fields>(name: string, fields: F): t.Type<Described<F>> {
  const required: t.Props = {}
  const optional: t.Props = {}
  for (const [key, field] of Object.entries(fields)) {
    if (field.required) required[key] = field.codec
    else optional[key] = t.union([field.codec, t.null], `${field.codec.name} or null`)
  }
  const codec =
    Object.keys(optional).length === 0
      ? t.type(required, name)
      : t.intersection([t.type(required, name), t.partial(optional, name)], name)
  return codec as unknown as t.Type<Described<F>>
}
