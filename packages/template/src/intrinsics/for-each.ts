import { isObject, kindOf } from '@signalbox/codec'
import { type Place, wrongAt } from '../document/template-error.ts'
import { evaluate } from './evaluate.ts'
import { NotHere } from './not-here.ts'
import type { Scope } from './scope.ts'

type Table = { readonly [name: string]: unknown }

/** The greatest number of values that loops may make together. */
const mostValues = 100_000

/** The greatest number of loops in each other, which is that of CloudFormation. */
const mostLoops = 5

const loop = /^Fn::ForEach::[A-Za-z\d]+$/

/**
 * Returns a template with the fields that its loops (`Fn::ForEach`) make. A loop over a list that only the cloud knows stays.
 * @param scope what the lists depend on: parameters, mappings and conditions
 * @throws TemplateError for a loop that is written wrongly, and for too many values
 */
export function expandLoops(document: unknown, scope: Scope): unknown {
  let left = mostValues

  function expanded(value: unknown, place: Place, loops: number): unknown {
    if (Array.isArray(value)) return value.map((each, at) => expanded(each, [...place, at], loops))
    if (!isObject(value)) return value
    const fields: [string, unknown][] = []
    const names = new Set<string>()
    for (const [name, each] of Object.entries(value)) {
      const own = loop.test(name) ? made(each, [...place, name], loops + 1) : undefined
      for (const field of own ?? [[name, expanded(each, [...place, name], loops)] as const]) {
        if (names.has(field[0])) throw wrongAt(place, 'each name once', field[0])
        names.add(field[0])
        fields.push([...field])
      }
    }
    return Object.fromEntries(fields)
  }

  /** Returns the fields that a loop makes, or undefined when only the cloud knows its list. */
  function made(
    value: unknown,
    place: Place,
    loops: number,
  ): readonly (readonly [string, unknown])[] | undefined {
    if (loops > mostLoops) throw wrongAt(place, `loops in at most ${mostLoops} loops`, 'more')
    if (!Array.isArray(value) || value.length !== 3)
      throw wrongAt(place, 'an identifier, a list and an object', kindOf(value))
    const [identifier, collection, fields] = value
    if (typeof identifier !== 'string') throw wrongAt([...place, 0], 'a name', kindOf(identifier))
    if (!isObject(fields)) throw wrongAt([...place, 2], 'an object', kindOf(fields))
    let all: unknown
    try {
      all = evaluate(collection, scope, [...place, 1])
    } catch (error) {
      if (error instanceof NotHere) return undefined
      throw error
    }
    if (!Array.isArray(all)) throw wrongAt([...place, 1], 'a list', kindOf(all))
    return all.flatMap((each, at) => {
      if (typeof each === 'object') throw wrongAt([...place, 1, at], 'a text', kindOf(each))
      const own = replaced(fields, identifier, String(each), place) as Table
      // Values that a loop in this one makes are counted when it makes them.
      return Object.entries(expanded(own, [...place, 2], loops) as Table)
    })
  }

  /** Returns a value with the text of a loop in place of its identifier. */
  function replaced(value: unknown, identifier: string, text: string, place: Place): unknown {
    if (--left < 0) throw wrongAt(place, `at most ${mostValues} values of all loops`, 'more')
    if (typeof value === 'string')
      return value
        .replaceAll(`\${${identifier}}`, () => text)
        .replaceAll(`&{${identifier}}`, () => text.replaceAll(/[^A-Za-z\d]/g, ''))
    if (Array.isArray(value)) return value.map(each => replaced(each, identifier, text, place))
    if (!isObject(value)) return value
    if (value.Ref === identifier && Object.keys(value).length === 1) return text
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        replaced(name, identifier, text, place),
        replaced(each, identifier, text, place),
      ]),
    )
  }

  return expanded(document, [], 0)
}
