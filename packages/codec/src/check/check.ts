import type { Codec, Presence, Read } from '../io-ts/codec-structure.ts'
import { isConfidential } from '../io-ts/confidential.ts'
import { structure } from '../io-ts/structure.ts'
import { transforms } from '../io-ts/transforms.ts'
import { isObject } from '../json/is-object.ts'
import { contentOf } from './content-of.ts'
import { decoded } from './decoded.ts'
import { add, newReport, type Place, type Report, refuse, wrongChoice } from './report.ts'
import { inWords, valuesInWords } from './words.ts'

/** A check of one place in a value against a codec. Without a report, the check stops at the first problem. */
export type Task = readonly [
  codec: Codec,
  place: Place,
  report?: Report | undefined,
  presence?: Presence | undefined,
]
export type Check = Generator<Task, boolean, boolean>

const own = Object.prototype.hasOwnProperty
/** The maximum length of a chain of codecs that only refer to each other. A longer chain is treated as circular. */
const mostHops = 1000

/**
 * Checks the value at one place against a codec, and yields the checks of its parts in the same order as `codec.is`.
 * With a report, it continues after a problem, where `is` would stop.
 */
export function* check(codec: Codec, place: Place, report?: Report, presence?: Presence): Check {
  if (place.unread) {
    place.unread = false
    place.value = place.holder![place.key as never]
  }
  const { value } = place
  if (report && isConfidential(codec)) place.confidential = true
  /** The report if the value must be decodable, otherwise undefined. */
  const decoding = report?.decoding ? report : undefined
  const orNull = presence === 'nullable' ? ' or null' : ''
  const no = (weight = 1) => report !== undefined && refuse(report, place, inWords(codec) + orNull, weight)
  if (orNull && value === null) return true
  if (presence && value === undefined) {
    if (presence === 'optional' || presence === 'nullable') return true
    if (!(decoding && presence === 'required-by-is') && !own.call(place.holder, place.key!)) return no()
  }
  let shape = structure(codec)
  for (
    let hops = 0;
    shape.kind === 'recursion' || (shape.kind === 'same' && !(shape.read && decoding));
    hops++
  ) {
    if (hops > mostHops) throw new RangeError('The codec is nothing but a reference to itself')
    codec = shape.parts[0]!
    if (report && isConfidential(codec)) place.confidential = true
    shape = structure(codec)
  }
  const { kind, parts } = shape
  const part = parts[0]!
  if (decoding && (kind === 'custom' || (kind === 'refinement' && transforms(codec)))) {
    return decoded(codec, place, decoding, inWords)
  }
  switch (kind) {
    case 'any':
      return true
    case 'typeof':
      return typeof value === shape.type || no()
    case 'oneOf':
      return shape.values.indexOf(value) >= 0 || no(wrongChoice)
    case 'custom':
      return !!codec.is(value) || (report !== undefined && decoded(codec, place, report, inWords) && no())
    case 'refinement':
      return (yield [part, place, report]) && (!!shape.predicate(value) || no())
    case 'same':
      return yield* text(part, shape.read!, place, report!)
    case 'object':
      if (!isObject(value)) return no()
      return yield* each(shape.names, i => parts[i]!, place, report, shape.presence)
    case 'record': {
      if (!isObject(value)) return (shape.arrays && Array.isArray(value)) || no()
      const keys: string[] = []
      for (const key of Object.keys(value)) if (yield [shape.domain, { value: key }]) keys.push(key)
      return yield* each(keys, () => part, place, report)
    }
    case 'array': {
      if (!Array.isArray(value)) return no()
      const items = part ? [...Array(value.length).keys()].filter(i => decoding || i in value) : []
      return yield* each(items, () => part, place, report)
    }
    case 'tuple':
      if (!Array.isArray(value) || !(decoding || value.length === parts.length)) return no()
      return yield* each([...parts.keys()], i => parts[i]!, place, report)
    case 'all': {
      let ok = true
      for (const each of parts) {
        if (!(yield [each, place, report])) ok = false
        if (!ok && !report) break
      }
      return ok
    }
    case 'some':
      return yield* closest(codec, place, report)
    case 'tagged': {
      if (!isObject(value)) return no()
      const tag = value[shape.tag]
      const branch = shape.values.findIndex(values => values.indexOf(tag) >= 0)
      if (branch >= 0) return yield [parts[branch]!, place, report]
      const at = { up: place, holder: value, key: shape.tag, value: tag }
      return report !== undefined && refuse(report, at, valuesInWords(shape.values.flat()), wrongChoice)
    }
  }
}

/** Checks the fields of an object or the items of an array. */
function* each(
  keys: readonly (string | number)[],
  partOf: (i: number) => Codec,
  up: Place,
  report: Report | undefined,
  presence?: readonly Presence[],
): Check {
  const holder = up.value as object
  let ok = true
  for (const [i, key] of keys.entries()) {
    if (!(yield [partOf(i), { up, holder, key, unread: true }, report, presence?.[i]])) ok = false
    if (!ok && !report) break
  }
  return ok
}

/**
 * Checks the alternatives of a codec. If all fail, it reports the problems of the closest alternative, unless every
 * alternative refuses the value as a whole.
 */
function* closest(codec: Codec, place: Place, report: Report | undefined): Check {
  let best: Report | undefined
  for (const part of structure(codec).parts) {
    const found = report && newReport(report.decoding)
    if (yield [part, place, found]) return true
    const [first] = found?.findings ?? []
    const here = first?.place === place && first.actual === undefined
    if (!here && (!best || found!.weight < best.weight)) best = found
  }
  if (!report) return false
  if (!best) return refuse(report, place, inWords(codec))
  return add(report, best.findings, best.count, best.weight)
}

/** Parses a string as JSON and checks the parsed value. */
function* text(part: Codec, read: Read, place: Place, report: Report): Check {
  const content = contentOf(read, place, report)
  return content !== undefined && (yield [part, content, report])
}
