import { isObject, kindOf } from '@signalbox/codec'
import { type Place, wrongAt } from '../document/template-error.ts'
import { evaluate, noValue } from '../intrinsics/evaluate.ts'
import { NotHere } from '../intrinsics/not-here.ts'
import type { Scope } from '../intrinsics/scope.ts'
import type { Warnings } from './warnings.ts'

/**
 * Reads the properties of a resource. A property that depends on a value of the cloud is noted as missing, and read as if
 * it were absent. A property of a wrong type is an error.
 */
export interface Properties {
  /** Returns a property as it is. */
  readonly value: (name: string) => unknown
  readonly text: (name: string) => string | undefined
  readonly number: (name: string) => number | undefined
  readonly flag: (name: string) => boolean | undefined
  readonly texts: (name: string) => readonly string[] | undefined
  readonly list: (name: string) => readonly Properties[]
  readonly object: (name: string) => Properties | undefined
  /** Returns all properties as they are, those that depend on the cloud left out. */
  readonly entries: () => readonly (readonly [name: string, value: unknown])[]
  readonly has: (name: string) => boolean
  /** Returns whether a property, and each element of a list, is there without the cloud. What is in them may be missing. */
  readonly isWhole: (name: string) => boolean
  /** Returns whether a property is `Ref` of a resource. */
  readonly refersTo: (name: string, logicalId: string) => boolean
  readonly place: Place
  /** Returns the names that nothing has asked for, those in objects as `Object.Name`. */
  readonly unread: () => readonly string[]
}

/** @param what the resource, for warnings, such as `Shop` */
export function propertiesOf(
  declared: unknown,
  scope: Scope,
  place: Place,
  warnings: Warnings,
  what: string,
): Properties {
  if (declared !== undefined && !isObject(declared)) throw wrongAt(place, 'an object', kindOf(declared))
  const own = declared ?? {}
  const read = new Set<string>()
  /** The properties in properties, by their places: what has asked for one once, may ask again. */
  const parts = new Map<string, { readonly name: string; readonly properties: Properties }>()

  /** Returns what a function finds for a property, or undefined with a warning when only the cloud knows it. */
  const orMissing = (name: string, find: () => unknown): unknown => {
    try {
      const found = find()
      return found === noValue ? undefined : found
    } catch (error) {
      if (!(error instanceof NotHere)) throw error
      warnings.missing(`${what} has no ${name} here: ${error.message}.`)
      return undefined
    }
  }
  const given = (name: string): unknown => {
    read.add(name)
    return Object.hasOwn(own, name) ? own[name] : undefined
  }
  const value = (name: string): unknown =>
    orMissing(name, () => evaluate(given(name), scope, [...place, name]))
  const wrong = (name: string, expected: string, found: unknown) =>
    wrongAt([...place, name], expected, typeof found === 'string' ? JSON.stringify(found) : kindOf(found))

  const part = (name: string, inner: unknown, at: Place): Properties => {
    const key = at.join('/')
    const known = parts.get(key)
    if (known !== undefined) return known.properties
    const properties = propertiesOf(inner, scope, at, warnings, what)
    parts.set(key, { name, properties })
    return properties
  }

  return {
    value,
    text(name) {
      const found = value(name)
      if (found === undefined || typeof found === 'string') return found
      if (typeof found === 'number' || typeof found === 'boolean') return String(found)
      throw wrong(name, 'a text', found)
    },
    number(name) {
      const found = value(name)
      const number = typeof found === 'string' && found.trim() !== '' ? Number(found) : found
      if (number === undefined || (typeof number === 'number' && Number.isFinite(number))) return number
      throw wrong(name, 'a number', found)
    },
    flag(name) {
      const found = value(name)
      if (found === undefined || typeof found === 'boolean') return found
      if (found === 'true' || found === 'false') return found === 'true'
      throw wrong(name, 'a boolean', found)
    },
    texts(name) {
      const found = value(name)
      if (found === undefined) return undefined
      const list = Array.isArray(found) ? found : [found]
      if (list.every(each => typeof each === 'string')) return list
      throw wrong(name, 'a list of texts', found)
    },
    list(name) {
      const found = orMissing(name, () => chosen(given(name), scope, [...place, name]))
      if (found === undefined) return []
      if (!Array.isArray(found)) throw wrong(name, 'a list', found)
      return found.flatMap((each, at) => {
        const inner = orMissing(name, () => chosen(each, scope, [...place, name, at]))
        return inner === undefined ? [] : part(name, inner, [...place, name, at])
      })
    },
    object(name) {
      const found = orMissing(name, () => chosen(given(name), scope, [...place, name]))
      return found === undefined ? undefined : part(name, found, [...place, name])
    },
    entries: () =>
      Object.keys(own).flatMap(name => {
        const found = value(name)
        return found === undefined ? [] : [[name, found] as const]
      }),
    has: name => Object.hasOwn(own, name),
    isWhole(name) {
      try {
        const found = chosen(given(name), scope, [...place, name])
        if (Array.isArray(found))
          for (const [at, each] of found.entries()) chosen(each, scope, [...place, name, at])
        return true
      } catch (error) {
        if (!(error instanceof NotHere)) throw error
        return false
      }
    },
    refersTo: (name, logicalId) => isObject(own[name]) && own[name].Ref === logicalId,
    place,
    unread: () => [
      ...Object.keys(own).filter(name => !read.has(name)),
      ...new Set(
        [...parts.values()].flatMap(({ name, properties }) =>
          properties.unread().map(inner => `${name}.${inner}`),
        ),
      ),
    ],
  }
}

/** Returns a collection whose values are not evaluated yet, after the choice of `Fn::If`. */
function chosen(value: unknown, scope: Scope, place: Place): unknown {
  if (!isObject(value)) return value
  const keys = Object.keys(value)
  const [only] = keys
  if (keys.length !== 1 || (only !== 'Ref' && !only!.startsWith('Fn::'))) return value
  if (only === 'Fn::If' && Array.isArray(value[only]) && value[only].length === 3) {
    const [name, yes, no] = value[only]
    const at = evaluate({ Condition: name }, scope, [...place, only]) === true ? 1 : 2
    return chosen(at === 1 ? yes : no, scope, [...place, only, at])
  }
  return evaluate(value, scope, place)
}
