import { isObject } from '@signalbox/codec'
import * as t from 'io-ts'

/** A field of a configuration object. */
export interface Field {
  readonly codec: t.Mixed
  readonly required: boolean
}

/** All fields of a configuration object. */
export type Fields<Part> = { readonly [K in keyof Part]-?: Field }

export const required = (codec: t.Mixed): Field => ({ codec, required: true })
export const optional = (codec: t.Mixed): Field => ({ codec, required: false })

/** Returns a codec for the values that `guard` accepts. Its error says that `name` was expected. */
export function matching<A>(name: string, guard: (value: unknown) => boolean): t.Type<A, A, unknown> {
  const accepts = (value: unknown): value is A => guard(value)
  return new t.Type<A, A, unknown>(
    name,
    accepts,
    (value, context) => (accepts(value) ? t.success(value) : t.failure(value, context)),
    t.identity,
  )
}

export function numberFrom(least: number, most: number, what: string): t.Mixed {
  return matching<number>(
    `${what} from ${least} to ${most}`,
    value => typeof value === 'number' && value >= least && value <= most,
  )
}

export function integerFrom(least: number, most: number, what = 'an integer'): t.Mixed {
  return matching<number>(
    `${what} from ${least} to ${most}`,
    value => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
  )
}

export const object = matching<object>('an object', isObject)

export const nonEmptyText = matching<string>(
  'a text that is not empty',
  value => typeof value === 'string' && value !== '',
)

/** Names by which clients address a listener in the Host header. */
export const hostNames: t.Mixed = t.readonlyArray(
  matching<string>('a host name or an address', value =>
    /^[^\s:/@]{1,253}$|^\[[\da-fA-F:.]+\]$/.test(String(value)),
  ),
  'a list of host names',
)

export const port = integerFrom(0, 65_535)
