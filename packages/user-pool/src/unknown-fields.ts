import { nearest, type Problem } from '@signalbox/codec'
import { type Fields, type Trigger, triggerNames, triggers } from './contract/index.ts'

// The fields of an answer, and the fields of those that are objects themselves.
interface Names {
  readonly known: { readonly [name: string]: Names | true }
}

const names = new Map<Trigger, Names>()
for (const trigger of triggerNames) names.set(trigger, namesOf(triggers[trigger].response))

function namesOf(fields: Fields): Names {
  const known: Record<string, Names | true> = Object.create(null)
  for (const [name, field] of Object.entries(fields)) {
    if (field !== undefined) known[name] = field.shape.fields ? namesOf(field.shape.fields) : true
  }
  return { known }
}

/**
 * Fields of an answer that its trigger doesn't have, at any depth that the contract describes: most likely typing
 * errors, and never something that the platform would read. Undefined when there are none.
 */
export function unknownFields(trigger: Trigger, answer: object): readonly Problem[] | undefined {
  return unknownIn(answer, names.get(trigger)!, '')
}

function unknownIn(
  answer: object,
  { known }: Names,
  under: string,
  wrong?: Problem[],
): Problem[] | undefined {
  let found = wrong
  for (const name in answer) {
    const inner = known[name]
    if (inner === true) continue
    if (inner === undefined) {
      found ??= []
      found.push({
        pointer: `/response${under}/${escaped(name)}`,
        expected: hint(name, known),
        actual: 'a field',
      })
      continue
    }
    const value = (answer as Record<string, unknown>)[name]
    if (typeof value === 'object' && value !== null)
      found = unknownIn(value, inner, `${under}/${name}`, found)
  }
  return found
}

function hint(name: string, known: object): string {
  const all = Object.keys(known)
  if (all.length === 0) return 'nothing, because no answer is expected here'
  const meant = nearest(name, all)
  return meant === undefined ? `one of the fields ${all.join(', ')}` : `no such field; did you mean ${meant}?`
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
