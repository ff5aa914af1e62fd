import { isObject } from '@signalbox/codec'
import * as t from 'io-ts'

/** What a rule says of a value beyond its type. */
interface RuleOptions {
  /** What a value is multiplied by in settings, which have times in milliseconds and sizes in bytes. */
  readonly scale?: number
  /** The keys of an object, or of each object in a list or a map. */
  readonly fields?: Fields
  /** What to write instead of an unknown key that other programs, or people, expect. */
  readonly instead?: { readonly [key: string]: string }
  /** The names that a map can have. Absent for anything but a map. */
  readonly names?: NameRule
}

/** The values that a key of the configuration accepts. */
export interface Rule<A> extends t.Type<A>, RuleOptions {}

/** A rule for values of any type. */
export interface AnyRule extends t.Mixed, RuleOptions {}

/** A key of a configuration object. Editors and the tables in docs/platform show its doc comment. */
export interface Field<A = unknown, Required extends boolean = boolean, Default = unknown> {
  readonly rule: AnyRule
  readonly required: Required
  /** The value when the key is absent. */
  readonly default: Default
  /** The type of the value. This property exists only as a type. */
  readonly holds?: A
}

/** A rule for names, and its text for an error message. */
export interface NameRule {
  readonly pattern: RegExp
  readonly expected: string
  /** What the value of a name should be. Default: an object. */
  readonly value?: string
}

/** All keys of a configuration object. */
export type Fields = { readonly [key: string]: Field }

/**
 * The type of a configuration object. A mapped type with an `as` clause would lose the doc comments of the keys, so
 * `Pick` selects them by name.
 */
export type ConfigOf<F extends Fields> = {
  readonly [K in keyof Pick<F, RequiredKey<F>>]: Holds<F[K]>
} & { readonly [K in keyof Pick<F, Exclude<keyof F, RequiredKey<F>>>]?: Holds<F[K]> }

/** The type of the values of a configuration object, with defaults filled in. */
export type ValuesOf<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends Field<infer A, infer R, infer D>
    ? A | (true extends R ? never : D)
    : never
}

type Holds<F> = F extends Field<infer A> ? A : never
type RequiredKey<F> = { [K in keyof F]: F[K] extends Field<unknown, true> ? K : never }[keyof F]

/** Describes a key that a configuration must have. */
export function required<A>(rule: Rule<A>): Field<A, true, undefined> {
  return { rule, required: true, default: undefined }
}

/** Describes a key that a configuration may lack, without a default. */
export function optional<A>(rule: Rule<A>): Field<A, false, undefined>
/** @param preset the default, which the doc comment of the key also states */
export function optional<A>(rule: Rule<A>, preset: NoInfer<A>): Field<A, false, A>
export function optional<A>(rule: Rule<A>, preset?: A): Field<A, false, A | undefined> {
  return { rule, required: false, default: preset }
}

/** Returns the values of a valid configuration object, with defaults, times in milliseconds, and sizes in bytes. */
export function valuesOf<F extends Fields>(
  fields: F,
  config: { readonly [K in keyof F]?: unknown },
): ValuesOf<F> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, { rule, default: preset }]) => {
      const value = config[key] ?? preset
      return [key, rule.scale === undefined || value === undefined ? value : Number(value) * rule.scale]
    }),
  ) as ValuesOf<F>
}

/** Returns a rule for the values that `guard` accepts. Its error says that `name` was expected. */
export function matching<A>(name: string, guard: (value: unknown) => boolean): Rule<A> {
  const accepts = guard as (value: unknown) => value is A
  const validate: t.Validate<unknown, A> = (value, context) =>
    accepts(value) ? t.success(value) : t.failure(value, context)
  return new t.Type<A, A, unknown>(name, accepts, validate, t.identity)
}

/** A rule for numbers within limits, both inclusive. `what` names them in errors, such as `seconds`. */
export function numberFrom(least: number, most: number, what: string): Rule<number> {
  return matching(
    `${what} from ${Number(least.toFixed(4))} to ${most}`,
    value => typeof value === 'number' && value >= least && value <= most,
  )
}

/** A rule for integers within limits, both inclusive. `what` names them in errors. */
export function integerFrom(least: number, most: number, what = 'an integer'): Rule<number> {
  return matching(
    `${what} from ${least} to ${most}`,
    value => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
  )
}

const numbersIn = (unit: string, scale: number) => (least: number, most: number) =>
  Object.assign(numberFrom(least, most, unit), { scale })
/** A rule for seconds within limits. Settings have milliseconds. */
export const seconds = numbersIn('seconds', 1000)
/** A rule for minutes within limits. Settings have milliseconds. */
export const minutes = numbersIn('minutes', 60 * 1000)
/** A rule for days within limits. Settings have milliseconds. */
export const days = numbersIn('days', 24 * 60 * 60 * 1000)
/** A rule for sizes in MB within limits. Settings have bytes. */
export const megabytes = numbersIn('MB', 1024 * 1024)
/** A rule for whole seconds within limits. Settings have milliseconds. */
export const wholeSeconds = (least: number, most: number, what = 'whole seconds') =>
  Object.assign(integerFrom(least, most, what), { scale: 1000 })

export const object = matching<object>('an object', isObject)

/**
 * Returns a rule for an object with these keys.
 * @param instead what to write instead of some unknown keys, for the error message
 */
export function objectOf<A>(fields: Fields, instead?: Rule<A>['instead']): Rule<A> {
  return Object.assign(matching<A>('an object', isObject), { fields, ...(instead && { instead }) })
}

/** Names become parts of URLs, log lines and paths, so they contain no special characters. */
const partNames: NameRule = {
  pattern: /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
  expected: 'a name of letters, digits, - and _, 64 at most',
}

/** Returns a rule for a map whose values are objects with these keys. */
export function mapOf<A>(fields: Fields, names: NameRule = partNames): Rule<{ readonly [name: string]: A }> {
  return Object.assign(matching<{ readonly [name: string]: A }>('an object', isObject), { fields, names })
}

/** Returns a rule for a list of objects with these keys. */
export function listOf<A>(fields: Fields, name: string): Rule<readonly A[]> {
  return Object.assign(t.readonlyArray(matching<A>('an object', isObject), name), { fields })
}

/** Returns a rule for texts of a form. */
export function textLike(name: string, form: RegExp): Rule<string> {
  return matching(name, value => typeof value === 'string' && form.test(value))
}

export const nonEmptyText = textLike('a text that is not empty', /./s)

/** Names by which clients address a listener in the Host header. */
export const hostNames: Rule<readonly string[]> = t.readonlyArray(
  textLike('a host name or an address', /^[^\s:/@]{1,253}$|^\[[\da-fA-F:.]+\]$/),
  'a list of host names',
)

export const port = integerFrom(0, 65_535)
