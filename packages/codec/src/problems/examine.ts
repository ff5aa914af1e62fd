import type { Codec } from '../io-ts/codec-of.ts'
import { isObject } from '../json/is-object.ts'
import { type Mark, mostHops, type Node, nodesOf, wordsOf } from '../structure/table.ts'
import { changesValues, type Read, reading, type Structure, writtenStructure } from '../structure/written.ts'
import { decoded } from './decoded.ts'
import { add, mostChecks, newReport, type Place, type Report, refuse, wrongChoice } from './report.ts'

/**
 * Finds the problems of a value. The report has none if the value is accepted.
 * @param decoding whether the value must be decodable. Otherwise it must satisfy `is`
 */
export function examine(structure: Structure, value: unknown, decoding: boolean): Report {
  const report = newReport(decoding)
  walk(structure, { value }, report)
  return report
}

function walk(structure: Structure, start: Place, report: Report): boolean {
  const { table, root, codecs, inWords } = structure
  const nodes = nodesOf(table)
  let checks = 0
  return check(root, start, report)

  function part(node: number, place: Place, report: Report, mark?: Mark): boolean {
    return ++checks > mostChecks || check(node, place, report, mark)
  }

  function check(start: number, place: Place, report: Report, mark?: Mark): boolean {
    let position = start
    let node = nodes[position]!
    const words = () => wordsOf(nodes, node)
    try {
      if (place.unread) {
        place.unread = false
        place.value = place.holder![place.key as never]
      }
      for (let hops = 0; ; hops++) {
        const [kind] = node
        const isReference =
          kind === 'confidential' ||
          kind === 'strips' ||
          kind === 'recursive' ||
          (kind === 'json' && !report.decoding)
        if (!isReference) break
        if (hops > mostHops) throw new RangeError('The codec is nothing but a reference to itself')
        if (kind === 'confidential') place.confidential = true
        position = (kind === 'recursive' ? node[2] : node[1]) as number
        node = nodes[position]!
      }
      const { value } = place
      if (mark === '?' ? value == null : mark === '-' && value === undefined) return true
      const mayBeMissing = !mark || value !== undefined || (report.decoding && mark === '=')
      if (!mayBeMissing && !Object.hasOwn(place.holder!, place.key!)) return refuse(report, place, words())
      return accepts(position, node, place, value, report, words() + (mark === '?' ? ' or null' : ''))
    } catch {
      return refuse(report, place, words(), 1, 'something that cannot be checked')
    }
  }

  function accepts(
    position: number,
    node: Node,
    place: Place,
    value: unknown,
    report: Report,
    words: string,
  ): boolean {
    const no = () => refuse(report, place, words)
    if (typeof node === 'string') return typeof value === node || no()
    switch (node[0]) {
      case 'one of':
        return node.indexOf(value, 2) > 0 || refuse(report, place, words, wrongChoice)
      case 'object': {
        if (!isObject(value)) return no()
        let ok = true
        for (let i = 1; i < node.length; i += 2) {
          const field = node[i] as string
          const at = { up: place, holder: value, key: field.slice(1), unread: true }
          if (!part(node[i + 1] as number, at, report, field[0] as Mark)) ok = false
        }
        return ok
      }
      case 'record': {
        const [, values, names, arrays] = node
        if (!isObject(value)) return (arrays && Array.isArray(value)) || no()
        // Each field name also counts as a check.
        const keys = Object.keys(value).filter(
          key => ++checks && (names == null || check(names, { value: key }, newReport(false))),
        )
        return each(keys, values, place, report)
      }
      case 'array': {
        if (!Array.isArray(value)) return no()
        const items = node[1]
        if (items === undefined) return true
        const present = [...Array(value.length).keys()].filter(i => report.decoding || i in value)
        return each(present, items, place, report)
      }
      case 'tuple': {
        const parts = node.slice(2) as readonly number[]
        if (!Array.isArray(value) || !(report.decoding || value.length === parts.length)) return no()
        return every([...parts.keys()], key =>
          part(parts[key]!, { up: place, holder: value, key, unread: true }, report),
        )
      }
      case 'where': {
        const codec = codecs?.get(position)
        if (report.decoding && codec && changesValues({ table, root: node[2], codecs: codecs! }))
          return decoded(codec, place, report, inWords!)
        return part(node[2], place, report) && (!!table.conditions[node[3]]!(value as never) || no())
      }
      case 'all':
        return every(node.slice(2) as number[], each => part(each, place, report))
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
      case 'json': {
        const read = codecs!.get(position)![reading as never] as Read
        const found = typeof value === 'string' ? read(value) : undefined
        if (found && 'value' in found) return part(node[1], { ...place, value: found.value }, report)
        return refuse(report, place, words, 1, found?.refused)
      }
      case 'codec':
        return asCodec(codecs!.get(position)!, place, report, inWords!, no)
      default:
        return true
    }
  }

  function each(keys: readonly (string | number)[], node: number, up: Place, report: Report): boolean {
    const holder = up.value as object
    return every(keys, key => part(node, { up, holder, key, unread: true }, report))
  }

  /**
   * Checks the alternatives. If all fail, it reports the problems of the closest one, unless every alternative refuses
   * the value as a whole.
   */
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

/** Checks a value with a codec whose structure is not in the table. */
function asCodec(
  codec: Codec,
  place: Place,
  report: Report,
  inWords: (codec: Codec) => string,
  no: () => boolean,
): boolean {
  const written = writtenStructure(codec)
  if (written) return walk(written, place, report)
  if (report.decoding) return decoded(codec, place, report, inWords)
  return !!codec.is(place.value) || (decoded(codec, place, report, inWords) && no())
}

/** Returns whether all items pass. Unlike Array.prototype.every, it also checks the items after a failure. */
function every<A>(items: readonly A[], passes: (item: A) => boolean): boolean {
  return items.filter(item => !passes(item)).length === 0
}
