import { type Layout, renameAndLearn } from './layout.ts'
import type { Names } from './names.ts'
import type { Place } from './table.ts'
import type { Direction, Translate } from './translation.ts'

/**
 * The translation of a place as straight-line code, with a function for each place below it. Functions of their
 * own, because the engine learns what passes through a function, and here each place has its own layout of keys.
 *
 * @throws EvalError where code generation is not allowed
 */
export function generate(place: Place, direction: Direction): Translate {
  const program: Program = { direction, functions: [], constants: [] }
  const root = write(place, program)
  const code = `'use strict'\n${program.functions.join('\n')}\nreturn ${root}`
  return new Function('constants', code)(program.constants)
}

interface Program {
  readonly direction: Direction
  readonly functions: string[]
  readonly constants: unknown[]
}

/** Adds the function of a place to the program, after those of the places below it, and answers its name. */
function write(place: Place, program: Program): string {
  if ('name' in place) return define(program, nameBody(place.name, program))
  if ('items' in place) return define(program, itemsBody(write(place.items, program)))
  const below = Object.entries(place.below ?? {}).map(([key, inner]) => ({
    key: quote(key),
    translate: write(inner, program),
  }))
  const renamed = place.keys === undefined ? 'value' : renamedBy(place.keys, program)
  return define(program, objectBody(below, renamed))
}

function define({ functions }: Program, body: string): string {
  const name = `f${functions.length}`
  functions.push(`function ${name}(value) {${body}\n}`)
  return name
}

/** Values other than the program's own text: the code names them, and never holds them. */
function constant({ constants }: Program, value: unknown): string {
  return `constants[${constants.push(value) - 1}]`
}

const quote = (key: string): string => JSON.stringify(key)

function nameBody(names: Names, program: Program): string {
  const rename = names[program.direction]
  if (names.all === undefined) {
    return `\nreturn typeof value === 'string' ? ${constant(program, rename)}(value) : value`
  }
  const cases = names.all.map(name => `\nif (value === ${quote(name)}) return ${quote(rename(name))}`)
  return `${cases.join('')}\nreturn value`
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
  renamed: string,
): string {
  const parts = below.map(
    ({ key, translate }, i) => `
    const was${i} = value[${key}]
    const is${i} = was${i} === undefined ? undefined : ${translate}(was${i})
    if (is${i} !== was${i}) {
      if (copy === value) copy = { ...value }
      copy[${key}] = is${i}
    }`,
  )
  return `
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    let copy = ${renamed}${parts.join('')}
    return copy`
}

/** An expression for `value` with its keys renamed. */
function renamedBy(keys: Names, program: Program): string {
  const layouts: Layout[] = []
  const known = constant(program, layouts)
  const rename = define(
    program,
    `
    const layouts = ${known}
    for (let i = 0; i < layouts.length; i++) {
      const renamed = layouts[i](value)
      if (renamed !== undefined) return renamed
    }
    return ${constant(program, renameAndLearn)}(value, ${constant(program, keys[program.direction])}, layouts)`,
  )
  if (keys.all === undefined) return `${rename}(value)`
  const absent = keys.all.map(key => `value[${quote(key)}] === undefined`)
  return `${absent.join(' && ')} ? value : ${rename}(value)`
}
