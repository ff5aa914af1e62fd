import { nodesOf, wordsOf } from '../structure/table.ts'
import type { Structure } from '../structure/written.ts'
import { describe } from './describe.ts'
import { examine } from './examine.ts'
import { type Problem, pointerTo } from './problem.ts'
import type { Finding, Place } from './report.ts'
import { isSecret } from './secret.ts'

/**
 * Lists the problems of a value: none if the structure accepts it, and otherwise at most a hundred, followed by an entry
 * with the number of further problems. Never throws.
 * @param decoding whether the value must be decodable. Otherwise it must satisfy `is`
 */
export function listProblems(structure: Structure, value: unknown, decoding: boolean): Problem[] {
  try {
    const { findings, count } = examine(structure, value, decoding)
    const found = inDocumentOrder(findings).map(problemOf)
    const more = count - found.length
    if (more > 0) found.push({ pointer: '', expected: 'no more problems', actual: `${more} more` })
    return found
  } catch {
    // The value cannot be read, so no further problems can be found.
    return [unknownProblem(structure)]
  }
}

/** Lists the problems of a value that a codec refused: at least one. Never throws. */
export function explain(structure: Structure, value: unknown, decoding: boolean): Problem[] {
  const found = listProblems(structure, value, decoding)
  return found.length > 0 ? found : [unknownProblem(structure)]
}

function unknownProblem({ table, root }: Structure): Problem {
  const nodes = nodesOf(table)
  return { pointer: '', expected: wordsOf(nodes, nodes[root]!), actual: 'something else' }
}

function problemOf({ place, expected, actual, isSentence }: Finding): Problem {
  const path = pathOf(place)
  const keys = path.slice(1).map(({ key }) => String(key))
  const secret = keys.some(isSecret) || path.some(({ confidential }) => confidential)
  return {
    pointer: pointerTo(...keys),
    expected,
    ...(actual === null ? {} : { actual: actual ?? actualOf(place, secret) }),
    ...(isSentence ? { isSentence } : {}),
  }
}

function actualOf({ holder, key, value }: Place, secret: boolean): string {
  const missing = value === undefined && holder && !Object.hasOwn(holder, key!)
  return missing ? 'nothing' : describe(value, secret)
}

/** Returns the places on the path from the root to a place, both included. */
function pathOf(place: Place): Place[] {
  const path: Place[] = []
  for (let at: Place | undefined = place; at; at = at.up) path.push(at)
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
  const paths = new Map(findings.map(finding => [finding, pathOf(finding.place).slice(1).map(positionOf)]))
  return [...findings].sort((a, b) => compare(paths.get(a)!, paths.get(b)!))
}

/** Compares two paths, so that a value comes before its parts. */
function compare(a: readonly number[], b: readonly number[]): number {
  const i = a.findIndex((position, i) => position !== b[i])
  return i < 0 ? a.length - b.length : a[i]! - (b[i] ?? -1)
}
