import { isObject, kindOf } from '@signalbox/codec'
import { type Place, wrongAt } from '../document/template-error.ts'
import { NotHere } from './not-here.ts'
import type { Scope } from './scope.ts'

/** The value of `AWS::NoValue`, which removes what it stands for. */
export const noValue = Symbol('AWS::NoValue')

/**
 * Returns a value of a template with its intrinsic functions replaced by their results.
 * @throws TemplateError for a function that is used wrongly, and for references to nothing
 * @throws NotHere when it depends on a value that only the cloud knows
 */
export function evaluate(value: unknown, scope: Scope, place: Place): unknown {
  if (Array.isArray(value))
    return value.map((each, at) => evaluate(each, scope, [...place, at])).filter(each => each !== noValue)
  if (!isObject(value)) return value
  const entries = Object.entries(value)
  const [first] = entries
  if (first !== undefined && entries.length === 1) {
    const [name, input] = first
    const call = Object.hasOwn(functions, name) ? functions[name] : undefined
    if (call !== undefined) return call(input, scope, [...place, name])
    if (name.startsWith('Fn::')) throw wrongAt([...place, name], 'an intrinsic function', name)
  }
  return Object.fromEntries(
    entries
      .map(([name, each]) => [name, evaluate(each, scope, [...place, name])] as const)
      .filter(([, each]) => each !== noValue),
  )
}

type Call = (input: unknown, scope: Scope, place: Place) => unknown

/** Returns what a scalar is as text. */
function textOf(value: unknown, place: Place): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw wrongAt(place, 'a text', kindOf(value))
}

function listOf(value: unknown, place: Place): readonly unknown[] {
  if (!Array.isArray(value)) throw wrongAt(place, 'a list', kindOf(value))
  return value
}

/** Returns the evaluated arguments of a function. */
function argumentsOf(
  input: unknown,
  scope: Scope,
  place: Place,
  least: number,
  most = least,
): readonly unknown[] {
  const given = listOf(input, place)
  if (given.length < least || given.length > most)
    throw wrongAt(place, least === most ? `${least} values` : `${least} to ${most} values`, `${given.length}`)
  return given.map((each, at) => evaluate(each, scope, [...place, at]))
}

function counted(text: string, scope: Scope): string {
  scope.count(text.length)
  return text
}

/** Returns the value of a name that `Ref` and `${…}` take. */
function referenceOf(name: string, scope: Scope, place: Place): unknown {
  if (name === 'AWS::NoValue') return noValue
  const parameter = scope.parameter(name)
  if (parameter !== undefined) return parameter
  const found = scope.resource(name)
  if (found === undefined) throw wrongAt(place, 'the name of a parameter or a resource', name)
  if (found.ref === undefined) throw new NotHere(`${name} has no name here`)
  return found.ref
}

function attributeOf(id: string, attribute: string, scope: Scope, place: Place): string {
  const found = scope.resource(id)
  if (found === undefined) throw wrongAt(place, 'the name of a resource', id)
  if (!Object.hasOwn(found.attributes, attribute)) throw new NotHere(`${id} has no ${attribute} here`)
  return found.attributes[attribute]!
}

function isEqual(one: unknown, other: unknown): boolean {
  return isScalar(one) && isScalar(other)
    ? String(one) === String(other)
    : JSON.stringify(one) === JSON.stringify(other)
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

/**
 * Returns whether a condition holds.
 * @throws TemplateError for something that is no condition
 */
export function holds(condition: unknown, scope: Scope, place: Place): boolean {
  const found = evaluate(condition, scope, place)
  if (typeof found === 'boolean') return found
  if (found === 'true' || found === 'false') return found === 'true'
  throw wrongAt(place, 'a condition', kindOf(found))
}

function named(name: unknown, scope: Scope, place: Place): boolean {
  const found = scope.condition(textOf(name, place))
  if (found === undefined) throw wrongAt(place, 'the name of a condition', String(name))
  return found
}

const several =
  (combine: (all: readonly boolean[]) => boolean, least: number): Call =>
  (input, scope, place) => {
    const all = listOf(input, place)
    if (all.length < least || all.length > 10)
      throw wrongAt(place, `${least} to 10 conditions`, `${all.length}`)
    return combine(all.map((each, at) => holds(each, scope, [...place, at])))
  }

const elsewhere: Call = (_input, _scope, place) => {
  throw new NotHere(`${String(place.at(-1))} is worked out by the cloud`)
}

const functions: { readonly [name: string]: Call } = {
  Ref: (input, scope, place) => referenceOf(textOf(input, place), scope, place),

  Condition: named,

  'Fn::GetAtt'(input, scope, place) {
    const [id = '', ...rest] = (
      typeof input === 'string' ? input.split('.') : listOf(input, place)
    ) as unknown[]
    const names = rest.map((each, at) =>
      textOf(evaluate(each, scope, [...place, at + 1]), [...place, at + 1]),
    )
    return attributeOf(textOf(id, place), names.join('.'), scope, place)
  },

  'Fn::Sub'(input, scope, place) {
    const [text, more = {}] = typeof input === 'string' ? [input] : listOf(input, place)
    const own = isObject(more) ? more : {}
    const replaced = textOf(text, place).replaceAll(
      /\$\{(!?)([^{}]*)\}/g,
      (whole, literal: string, inner: string) => {
        if (literal !== '') return `\${${inner}}`
        const name = inner.trim()
        if (name === '') throw wrongAt(place, 'a name', whole)
        if (Object.hasOwn(own, name))
          return textOf(evaluate(own[name], scope, [...place, 1, name]), [...place, 1, name])
        const parameter = scope.parameter(name)
        if (parameter !== undefined)
          return counted(Array.isArray(parameter) ? parameter.join(',') : textOf(parameter, place), scope)
        const dot = name.indexOf('.')
        const isOwnName = dot < 0 || scope.resource(name) !== undefined
        const value = isOwnName
          ? referenceOf(name, scope, place)
          : attributeOf(name.slice(0, dot), name.slice(dot + 1), scope, place)
        return value === noValue ? '' : counted(textOf(value, place), scope)
      },
    )
    return counted(replaced, scope)
  },

  'Fn::Join'(input, scope, place) {
    const [delimiter, list] = argumentsOf(input, scope, place, 2)
    const texts = listOf(list, [...place, 1]).map((each, at) => textOf(each, [...place, 1, at]))
    return counted(texts.join(textOf(delimiter, [...place, 0])), scope)
  },

  'Fn::Split'(input, scope, place) {
    const [delimiter, text] = argumentsOf(input, scope, place, 2)
    return textOf(text, [...place, 1]).split(textOf(delimiter, [...place, 0]))
  },

  'Fn::Select'(input, scope, place) {
    const [index, list] = argumentsOf(input, scope, place, 2)
    const all = listOf(list, [...place, 1])
    const at = Number(index)
    if (!Number.isInteger(at) || at < 0 || at >= all.length)
      throw wrongAt([...place, 0], `an index from 0 to ${all.length - 1}`, String(index))
    return all[at]
  },

  'Fn::FindInMap'(input, scope, place) {
    const [map, first, second, rest] = argumentsOf(input, scope, place, 3, 4)
    const keys = [map, first, second].map((each, at) => textOf(each, [...place, at]))
    let found: unknown = scope.mappings
    for (const key of keys) found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined
    if (found !== undefined) return found
    if (isObject(rest) && Object.hasOwn(rest, 'DefaultValue')) return rest.DefaultValue
    throw wrongAt(place, 'keys of a mapping', keys.join(', '))
  },

  'Fn::Base64': (input, scope, place) =>
    counted(Buffer.from(textOf(evaluate(input, scope, place), place)).toString('base64'), scope),

  'Fn::GetAZs'(input, scope, place) {
    const region =
      textOf(evaluate(input, scope, place), place) || textOf(scope.parameter('AWS::Region'), place)
    return ['a', 'b', 'c'].map(letter => `${region}${letter}`)
  },

  'Fn::Length'(input, scope, place) {
    return listOf(evaluate(input, scope, place), place).length
  },

  'Fn::ToJsonString': (input, scope, place) => counted(JSON.stringify(evaluate(input, scope, place)), scope),

  'Fn::If'(input, scope, place) {
    const given = listOf(input, place)
    if (given.length !== 3) throw wrongAt(place, 'a condition and two values', `${given.length} values`)
    const chosen = named(given[0], scope, [...place, 0]) ? 1 : 2
    return evaluate(given[chosen], scope, [...place, chosen])
  },

  'Fn::Equals'(input, scope, place) {
    const [one, other] = argumentsOf(input, scope, place, 2)
    return isEqual(one, other)
  },

  'Fn::Not'(input, scope, place) {
    const [condition, ...rest] = listOf(input, place)
    if (rest.length > 0) throw wrongAt(place, 'one condition', `${rest.length + 1}`)
    return !holds(condition, scope, [...place, 0])
  },

  'Fn::And': several(all => all.every(Boolean), 2),
  'Fn::Or': several(all => all.some(Boolean), 2),

  'Fn::ImportValue': elsewhere,
  'Fn::Transform': elsewhere,
  'Fn::Cidr': elsewhere,
}
