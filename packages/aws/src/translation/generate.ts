import { closures } from './closures.ts'
import { type Layout, learnLayout } from './layout.ts'
import type { Direction, Names } from './names.ts'
import type { Place, Translate } from './table.ts'

/**
 * Generates the translation of a place as straight-line code. Each nested place has its own function.
 * @throws EvalError where code generation is not allowed
 */
export function generate(place: Place, direction: Direction): Translate {
  const program: Program = { direction, functions: [], constants: [] }
  const root = write(place, program)
  const constants = program.constants.map((_, i) => `const c${i} = constants[${i}]`)
  const code = ["'use strict'", ...constants, ...program.functions, `return ${root}`].join('\n')
  return new Function('constants', code)(program.constants)
}

interface Program {
  readonly direction: Direction
  readonly functions: string[]
  readonly constants: unknown[]
}

/** A key whose value is translated, and the function that translates the value, both as code. */
interface Below {
  readonly key: string
  readonly translate: string
}

/**
 * Adds functions for a place and for the places below it to the program. Returns the name of the function for the
 * place.
 */
function write(place: Place, program: Program): string {
  if ('name' in place) return define(program, nameBody(place.name, program))
  if ('items' in place) return define(program, itemsBody(write(place.items, program)))
  const below = Object.entries(place.below ?? {}).map(([key, inner]) => ({
    key: quote(key),
    translate: write(inner, program),
  }))
  return define(program, place.keys ? keyedBody(place, place.keys, below, program) : fixedBody(below))
}

function define({ functions }: Program, body: string): string {
  const name = `f${functions.length}`
  functions.push(`function ${name}(value) {${body}\n}`)
  return name
}

/** Stores a value outside the code, and returns the name by which the code refers to it. */
function constant({ constants }: Program, value: unknown): string {
  return `c${constants.push(value) - 1}`
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
      if (copy === undefined) {
        if (is === was) continue
        copy = new Array(value.length)
        for (let j = 0; j < i; j++) copy[j] = value[j]
      }
      copy[i] = is
    }
    return copy === undefined ? value : copy`
}

const unlessObject = "\nif (typeof value !== 'object' || value === null || Array.isArray(value)) return value"

/** Returns the code for an object whose own keys do not change. */
function fixedBody(below: readonly Below[]): string {
  const parts = below.map(
    ({ key, translate }, i) => `
    const was${i} = value[${key}]
    const is${i} = was${i} === undefined ? undefined : ${translate}(was${i})
    if (is${i} !== was${i}) {
      if (copy === value) copy = { ...value }
      copy[${key}] = is${i}
    }`,
  )
  return `${unlessObject}
    let copy = value${parts.join('')}
    return copy`
}

/** Returns the code for an object whose own keys are translated. */
function keyedBody(place: Place, names: Names, below: readonly Below[], program: Program): string {
  const layouts: Layout[] = []
  const known = constant(program, layouts)
  const rename = constant(program, names[program.direction])
  const translations = below.map(({ key, translate }) => `${key}: ${translate}`).join(', ')
  const translateNamed = define(
    program,
    `
    for (let i = 0; i < ${known}.length; i++) {
      const translated = ${known}[i](value)
      if (translated !== undefined) return translated
    }
    ${constant(program, learnLayout)}(value, ${rename}, { ${translations} }, ${known})
    return ${constant(program, closures(place, program.direction))}(value)`,
  )
  // Most objects have none of the names.
  const absent = names.all?.map(key => `value[${quote(key)}] === undefined`).join(' && ')
  const unlessNamed = absent && below.length === 0 ? `\nif (${absent}) return value` : ''
  return `${unlessObject}${unlessNamed}
    return ${translateNamed}(value)`
}
