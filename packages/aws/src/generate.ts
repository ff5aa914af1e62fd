import { renameAndLearn } from './rename-keys.ts'
import type { Place } from './table.ts'
import type { Direction, Translate } from './translation.ts'

/**
 * The translation of a place as straight-line code, a function for each place below it. Functions of their own,
 * because the engine learns the layout of what passes through a function, and here each place has its own.
 *
 * @throws EvalError where code generation is not allowed
 */
export function generate(place: Place, direction: Direction): Translate {
  const functions: string[] = []
  const constants: unknown[] = []
  const constant = (value: unknown) => `constants[${constants.push(value) - 1}]`
  const define = (body: string) => {
    const name = `place${functions.length}`
    functions.push(`function ${name}(value) {\n${body}\n}`)
    return name
  }

  const defineRename = (rename: (name: string) => string) => {
    const layouts = constant([])
    const name = `rename${functions.length}`
    functions.push(`
const layouts${name} = ${layouts}
function ${name}(object) {
  for (let i = 0; i < layouts${name}.length; i++) {
    const renamed = layouts${name}[i](object)
    if (renamed !== undefined) return renamed
  }
  return ${constant(renameAndLearn)}(object, ${constant(rename)}, ${layouts})
}`)
    return name
  }

  const write = (place: Place): string => {
    if ('name' in place) return define(nameBody(place.name[direction], place.name.all, constant))
    if ('items' in place) return define(itemsBody(write(place.items)))
    const below = Object.entries(place.below ?? {}).map(([key, inner]) => ({
      key: JSON.stringify(key),
      translate: write(inner),
    }))
    const rename = place.keys && defineRename(place.keys[direction])
    return define(objectBody(below, rename, place.keys?.all))
  }

  const root = write(place)
  const code = `'use strict'\n${functions.join('\n')}\nreturn ${root}`
  return new Function('constants', code)(constants)
}

function nameBody(
  rename: (name: string) => string,
  all: readonly string[] | undefined,
  constant: (value: unknown) => string,
): string {
  if (all === undefined) return `return typeof value === 'string' ? ${constant(rename)}(value) : value`
  const cases = all.map(
    name => `if (value === ${JSON.stringify(name)}) return ${JSON.stringify(rename(name))}`,
  )
  return [...cases, 'return value'].join('\n')
}

function itemsBody(translate: string): string {
  return `
    if (!Array.isArray(value)) return value
    let copy
    for (let i = 0; i < value.length; i++) {
      const was = value[i]
      const is = ${translate}(was)
      if (is === was) continue
      if (copy === undefined) copy = value.slice()
      copy[i] = is
    }
    return copy === undefined ? value : copy`
}

function objectBody(
  below: readonly { readonly key: string; readonly translate: string }[],
  rename: string | undefined,
  all: readonly string[] | undefined,
): string {
  const absent = all?.map(name => `value[${JSON.stringify(name)}] === undefined`).join(' && ')
  const renamed = absent === undefined ? `${rename}(value)` : `${absent} ? value : ${rename}(value)`
  return [
    "if (typeof value !== 'object' || value === null || Array.isArray(value)) return value",
    `let copy = ${rename === undefined ? 'value' : renamed}`,
    ...below.map(
      ({ key, translate }, i) => `
    const was${i} = value[${key}]
    const is${i} = was${i} === undefined ? undefined : ${translate}(was${i})
    if (is${i} !== was${i}) {
      if (copy === value) copy = { ...value }
      copy[${key}] = is${i}
    }`,
    ),
    'return copy',
  ].join('\n')
}
