import { shapeCodec } from '../contract/fields/shape-codec.ts'
import {
  commonFields,
  commonFieldsOfSenders,
  type Field,
  type Fields,
  type Shape,
  type Source,
} from '../contract/index.ts'
import { givenSource } from './given-source.ts'
import { triggerEvent } from './trigger-event.ts'

/** An event that breaks exactly one rule of the contract. */
export interface Mutation {
  /** A description of the rule, such as `request.session is required`. */
  readonly rule: string
  /** The JSON pointer of the problem. */
  readonly pointer: string
  readonly event: unknown
}

/**
 * A way to break a field. `value` is the new value, and is missing if the field is removed. `below` is the JSON pointer
 * of the problem inside the field.
 */
interface Break {
  readonly rule: string
  readonly below: string
  readonly value?: unknown
}

/**
 * Returns one invalid event for each way to break exactly one rule for a trigger source.
 * @example
 * ```ts
 * import { triggerEventCodec } from '@signalbox/user-pool/contract'
 * import { mutations } from '@signalbox/user-pool/testing'
 * import { expect, test } from 'vitest'
 *
 * for (const { rule, event } of mutations('PreSignUp_SignUp'))
 *   test(rule, () => expect(triggerEventCodec.is(event)).toBe(false))
 * ```
 */
export function mutations(source: Source): readonly Mutation[] {
  const { row, request } = givenSource('mutations()', source)
  const common = row.answer === 'not read' ? commonFieldsOfSenders : commonFields
  return [
    ...breakFields(source, common, []),
    broken(source, ['request'], { rule: 'is required', below: '' }),
    broken(source, ['request'], { rule: 'is object', below: '', value: 'text' }),
    ...breakFields(source, request, ['request']),
  ]
}

function breakFields(source: Source, fields: Fields, under: readonly string[]): readonly Mutation[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field === undefined) return []
    const path = [...under, name]
    return [
      ...breaksOf(field, name).map(each => broken(source, path, each)),
      ...(field.shape.fields ? breakFields(source, field.shape.fields, path) : []),
    ]
  })
}

function breaksOf({ shape, required }: Field, name: string): readonly Break[] {
  const breaks: Break[] = [{ rule: `is ${shapeCodec(shape).name}`, below: '', value: 7 }]
  if (required)
    breaks.push({ rule: 'is required', below: '' }, { rule: 'is not null', below: '', value: null })
  if (shape.kind === 'one-of' || name === 'triggerSource') {
    breaks.push({ rule: 'is one of the known values', below: '', value: 'an unknown value' })
  }
  if (shape.kind === 'text-map')
    breaks.push({ rule: 'holds strings', below: '/name', value: { name: ['list'] } })
  if (shape.items !== undefined) breaks.push(...breaksOfItems(shape.items))
  return breaks
}

function breaksOfItems(items: Shape<unknown>): readonly Break[] {
  const breaks: Break[] = [{ rule: `holds ${shapeCodec(items).name}`, below: '/0', value: [7] }]
  for (const [name, field] of Object.entries(items.fields ?? {})) {
    if (field === undefined) continue
    for (const each of breaksOf(field, name)) {
      const item: Record<string, unknown> = { ...(least(items) as object), [name]: each.value }
      if (!('value' in each)) delete item[name]
      breaks.push({ rule: `: ${name} ${each.rule}`, below: `/0/${name}${each.below}`, value: [item] })
    }
  }
  return breaks
}

/** Returns the smallest value that fits a shape. */
function least(shape: Shape<unknown>): unknown {
  if (shape.kind === 'text') return 'text'
  if (shape.kind === 'flag') return true
  const fields = Object.entries(shape.fields ?? {}).filter(([, field]) => field?.required)
  return Object.fromEntries(fields.map(([name, field]) => [name, least(field!.shape)]))
}

function broken(source: Source, path: readonly string[], { rule, below, ...put }: Break): Mutation {
  const event = triggerEvent(source)
  let holder = event as unknown as Record<string, unknown>
  for (const key of path.slice(0, -1)) holder = holder[key] as Record<string, unknown>
  if ('value' in put) holder[path.at(-1)!] = put.value
  else delete holder[path.at(-1)!]
  return { rule: `${path.join('.')} ${rule}`, pointer: `/${path.join('/')}${below}`, event }
}
