import type { Type } from 'io-ts'
import { describe } from './describe.ts'
import type { Problem } from './problem.ts'
import type { Finding, Place } from './report.ts'
import { isSecret } from './secret.ts'
import type { Codec } from './structure.ts'
import { transforms } from './transforms.ts'
import { examine } from './walk.ts'
import { inWords } from './words.ts'

/**
 * Lists what is wrong with a value, in the order of the value: at most a hundred problems, and then one that
 * counts the rest. Empty when the guard accepts the value; for codecs that transform, when it can be decoded.
 * Of a union that is not satisfied it tells about the alternative that comes closest.
 *
 * Never throws, whatever the value: what cannot be read, or nests too deeply, is a problem too.
 */
export function problems<A>(codec: Type<A, unknown, unknown>, value: unknown): readonly Problem[] {
  return explain(codec, value, transforms(codec))
}

/** The same for a value that is to be decoded, or is to satisfy `is`. */
export function explain(codec: Codec, value: unknown, decoding: boolean): Problem[] {
  try {
    const { findings, count } = examine(codec, value, decoding)
    const found = inDocumentOrder(findings).map(problemOf)
    if (count > found.length) {
      found.push({ pointer: '', expected: 'no more problems', actual: `${count - found.length} more` })
    }
    return found
  } catch {
    return [{ pointer: '', expected: 'a value that can be checked', actual: 'something that cannot' }]
  }
}

/** The same for a value that was refused, so that something is wrong even where the codec does not say what. */
export function blame(codec: Codec, value: unknown, decoding: boolean): Problem[] {
  const found = explain(codec, value, decoding)
  return found.length > 0 ? found : [{ pointer: '', expected: inWords(codec), actual: describe(value, true) }]
}

function problemOf({ place, expected, actual }: Finding): Problem {
  const keys = pathOf(place).map(({ key }) => String(key))
  return {
    pointer: keys.map(key => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
    expected,
    actual: actual ?? actualOf(place, keys.some(isSecret)),
  }
}

function actualOf({ holder, key, value }: Place, secret: boolean): string {
  const missing = value === undefined && holder && !Object.hasOwn(holder, key!)
  return missing ? 'nothing' : describe(value, secret)
}

/** The places on the way to a place, without the value as a whole. */
function pathOf(place: Place): Place[] {
  const path: Place[] = []
  for (let at = place; at.up; at = at.up) path.push(at)
  return path.reverse()
}

function inDocumentOrder(findings: readonly Finding[]): readonly Finding[] {
  const orders = new Map<unknown, Map<unknown, number>>()
  const positionOf = ({ holder, key }: Place): number => {
    if (typeof key === 'number') return key
    let order = orders.get(holder)
    if (!order) {
      order = new Map(Object.keys(holder!).map((key, i) => [key, i]))
      orders.set(holder, order)
    }
    // Missing fields come last.
    return order.get(key) ?? order.size
  }
  const paths = new Map(findings.map(finding => [finding, pathOf(finding.place).map(positionOf)]))
  return [...findings].sort((a, b) => compare(paths.get(a)!, paths.get(b)!))
}

function compare(a: readonly number[], b: readonly number[]): number {
  const i = a.findIndex((position, i) => position !== b[i])
  return i < 0 || i >= b.length ? a.length - b.length : a[i]! - b[i]!
}
