import { configFields, type Field } from '@signalbox/platform-runtime/config'

/** An option of the configuration. */
interface FoundOption {
  /** Its place, such as `queues.NAME.redrive`. */
  readonly option: string
  readonly expected: string
  readonly isRequired: boolean
}

type Sources = Parameters<typeof configFields>[0]

/** Returns the options of the configuration whose place or value has all words. */
export function findOptions(
  words: string,
  sources: Sources,
  dialects: readonly string[],
): readonly FoundOption[] {
  const wanted = words.toLowerCase().split(/\s+/)
  return optionsIn('', configFields(sources, dialects)).filter(({ option, expected }) => {
    const found = `${option} ${expected}`.toLowerCase()
    return wanted.every(word => found.includes(word))
  })
}

function optionsIn(place: string, fields: Readonly<Record<string, Field>>): readonly FoundOption[] {
  return Object.entries(fields).flatMap(([name, { rule, required }]) => {
    const option = `${place}${name}`
    const below = rule.names === undefined ? option : `${option}.NAME`
    const inner = rule.fields === undefined ? [] : optionsIn(`${below}.`, rule.fields)
    return [{ option, expected: rule.name, isRequired: required }, ...inner]
  })
}
