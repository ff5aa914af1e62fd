import {
  commonFields,
  commonFieldsOfSenders,
  type Fields,
  knownSource,
  type Shape,
  type Source,
} from '../contract/index.ts'
import { triggerEvent } from './trigger-event.ts'

/** A valid event with exactly one rule of the contract broken. */
export interface Mutation {
  /** Which rule, in words, such as `request.session is required`. */
  readonly rule: string
  /** Where its problem is found, as a JSON pointer. */
  readonly pointer: string
  readonly event: unknown
}

/** Every way to break exactly one rule of a trigger source's event. */
export function mutations(source: Source): readonly Mutation[] {
  const { row, request } = knownSource(source)!
  const common = row.answer === 'not read' ? commonFieldsOfSenders : commonFields
  const found: Mutation[] = []
  const add = (rule: string, path: readonly string[], change: (holder: Holder, key: string) => void) => {
    const event = triggerEvent(source)
    let holder = event as unknown as Holder
    for (const key of path.slice(0, -1)) holder = holder[key] as Holder
    change(holder, path.at(-1)!)
    found.push({ rule, pointer: `/${path.join('/')}`, event })
  }
  breakFields(common, [], add)
  add('request is required', ['request'], drop)
  add('request is an object', ['request'], (holder, key) => {
    holder[key] = 'text'
  })
  breakFields(request, ['request'], add)
  return found
}

type Holder = Record<string, unknown>
type Add = (rule: string, path: readonly string[], change: (holder: Holder, key: string) => void) => void

const drop = (holder: Holder, key: string) => {
  delete holder[key]
}

function breakFields(fields: Fields, under: readonly string[], add: Add): void {
  for (const [name, field] of Object.entries(fields)) {
    if (field === undefined) continue
    const path = [...under, name]
    if (field.required) add(`${path.join('.')} is required`, path, drop)
    breakShape(field.shape, path, add)
  }
}

function breakShape(shape: Shape<unknown>, path: readonly string[], add: Add): void {
  add(`${path.join('.')} is ${shape.codec.name}`, path, (holder, key) => {
    holder[key] = 7
  })
  if (shape.kind === 'one-of' || path.join() === 'triggerSource') {
    add(`${path.join('.')} is one of the known values`, path, (holder, key) => {
      holder[key] = 'nobody knows this'
    })
  }
  if (shape.kind === 'text-map') {
    add(`${path.join('.')} holds strings`, [...path, 'name'], (holder, key) => {
      holder[key] = ['list']
    })
  }
  if (shape.kind === 'list') {
    add(`${path.join('.')} holds ${shape.items!.codec.name}`, [...path, '0'], (holder, key) => {
      ;(holder as unknown as unknown[])[Number(key)] = 7
    })
  }
  if (shape.fields !== undefined) breakFields(shape.fields, path, add)
}
