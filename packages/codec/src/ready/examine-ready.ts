import { add, mostChecks, newReport, type Place, type Report, refuse, wrongChoice } from '../check/report.ts'
import { isObject } from '../json/is-object.ts'
import type { Ready } from './ready-codec.ts'
import { type Node, nodesOf, wordsOf } from './table.ts'

/**
 * Finds the problems of a value with the table of a precompiled codec. The result is the same as that of `examine` for
 * the original codec, but the code is a tenth as long, because tables refer to no other code and are not recursive.
 */
export function examineReady({ table, root }: Ready, at: Place, report: Report): boolean {
  const nodes = nodesOf(table)
  let checks = 0
  return check(root, at, report)

  function part(node: number, place: Place, report: Report, mark?: string): boolean {
    return ++checks > mostChecks || check(node, place, report, mark)
  }

  /** @param mark the key in `presences` for the presence of the checked field */
  function check(position: number, place: Place, report: Report, mark?: string): boolean {
    let node = nodes[position]!
    const words = wordsOf(nodes, node)
    try {
      if (place.unread) {
        place.unread = false
        place.value = place.holder![place.key as never]
      }
      if (node[0] === 'confidential') {
        place.confidential = true
        node = nodes[node[1]]!
      }
      const { value } = place
      const isNullable = mark === '?'
      if (isNullable ? value == null : mark === '-' && value === undefined) return true
      const mayBeMissing = !mark || value !== undefined || (report.decoding && mark === '=')
      if (!mayBeMissing && !Object.hasOwn(place.holder!, place.key!)) return refuse(report, place, words)
      return accepts(node as never, place, value, report, words + (isNullable ? ' or null' : ''))
    } catch {
      return refuse(report, place, words, 1, 'something that cannot be checked')
    }
  }

  function accepts(
    node: Exclude<Node, readonly ['confidential', number]>,
    place: Place,
    value: unknown,
    report: Report,
    words: string,
  ): boolean {
    const no = () => refuse(report, place, words)
    if (typeof node === 'string') return typeof value === node || no()
    switch (node[0]) {
      case 'any':
        return true
      case 'one of':
        return node.indexOf(value, 2) > 0 || refuse(report, place, words, wrongChoice)
      case 'object': {
        if (!isObject(value)) return no()
        let ok = true
        for (let i = 1; i < node.length; i += 2) {
          const field = node[i] as string
          const at = { up: place, holder: value, key: field.slice(1), unread: true }
          if (!part(node[i + 1] as number, at, report, field[0])) ok = false
        }
        return ok
      }
      case 'record':
        if (!isObject(value)) return no()
        // Each field name also counts as a check.
        checks += Object.keys(value).length
        return each(Object.keys(value), node[1], place, report)
      case 'array': {
        if (!Array.isArray(value)) return no()
        const items = node[1]
        if (items === undefined) return true
        const present = [...Array(value.length).keys()].filter(i => report.decoding || i in value)
        return each(present, items, place, report)
      }
      case 'where':
        return part(node[2], place, report) && (!!table.conditions[node[3]]!(value as never) || no())
      case 'all': {
        return every(node.slice(2) as number[], each => part(each, place, report))
      }
      case 'some':
        return closest(node.slice(2) as number[], place, report, words)
      case 'tagged': {
        if (!isObject(value)) return no()
        const [, expected, key, ...branches] = node
        const tag = value[key]
        const branch = branches.find(each => each.indexOf(tag, 1) > 0)
        if (branch) return part(branch[0], place, report)
        return refuse(report, { up: place, holder: value, key, value: tag }, expected, wrongChoice)
      }
    }
  }

  function each(keys: readonly (string | number)[], node: number, up: Place, report: Report): boolean {
    const holder = up.value as object
    return every(keys, key => part(node, { up, holder, key, unread: true }, report))
  }

  /** Reports the problems of the closest alternative, just as for codecs that are not precompiled. */
  function closest(parts: readonly number[], place: Place, report: Report, words: string): boolean {
    let best: Report | undefined
    for (const each of parts) {
      const found = newReport(report.decoding)
      if (part(each, place, found)) return true
      const [first] = found.findings
      const isHere = first?.place === place && first.actual === undefined
      if (!isHere && (!best || found.weight < best.weight)) best = found
    }
    if (!best) return refuse(report, place, words)
    return add(report, best.findings, best.count, best.weight)
  }
}

/** Describes what a precompiled codec accepts. */
export function readyInWords({ table, root }: Ready): string {
  const nodes = nodesOf(table)
  return wordsOf(nodes, nodes[root]!)
}

/** Returns whether all items pass. Unlike Array.prototype.every, it also checks the items after a failure. */
function every<A>(items: readonly A[], passes: (item: A) => boolean): boolean {
  return items.filter(item => !passes(item)).length === 0
}
