import * as t from 'io-ts'

/** A row of one of the contract's tables of fields. */
export interface Field {
  readonly type: t.Mixed
  readonly required: boolean
  /** Set on what the contract does not say and Signalbox decided. */
  readonly extension?: true
}

/** A table of the contract: its rows by the names of the fields. */
export type Fields = Readonly<Record<string, Field>>

type Flat<T> = { [K in keyof T]: T[K] }

/** What a table describes. An optional field may be absent or null, which is the same. */
export type Described<F extends Fields> = Flat<
  {
    readonly [K in keyof F as F[K]['required'] extends true ? K : never]: t.TypeOf<F[K]['type']>
  } & {
    readonly [K in keyof F as F[K]['required'] extends true ? never : K]?:
      | t.TypeOf<F[K]['type']>
      | null
      | undefined
  }
>

/** The codec of the objects that a table describes. Fields that the table does not know are kept. */
export function describedBy<F extends Fields>(name: string, fields: F): t.Type<Described<F>> {
  const required: t.Props = {}
  const optional: t.Props = {}
  for (const [key, field] of Object.entries(fields)) {
    if (field.required) required[key] = field.type
    else optional[key] = t.union([field.type, t.null, t.undefined])
  }
  const codec =
    Object.keys(optional).length === 0
      ? t.type(required, name)
      : Object.keys(required).length === 0
        ? t.partial(optional, name)
        : t.intersection([t.type(required), t.partial(optional)], name)
  return codec as unknown as t.Type<Described<F>>
}
