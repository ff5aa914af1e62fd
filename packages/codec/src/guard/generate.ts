import type { Codec, Presence, Structure } from '../io-ts/codec-structure.ts'
import { structure } from '../io-ts/structure.ts'

/** A check whose result is truthy or falsy. */
export type Test = (value: unknown) => unknown

/** The maximum number of checks in one function, because V8 does not optimize very long functions. */
export const longest = 300

/** The maximum number of values for which separate comparisons are faster than a set. */
export const fewest = 8

/**
 * The code of a codec with at most this number of parts is repeated at each use, if none of these parts has parts of
 * its own.
 */
const few = 8

let generated = 0

/**
 * Generates the code that checks values of a codec, and returns it as a function.
 * @throws EvalError, or another error of the host, when it forbids code generation from strings
 */
export function generate(codec: Codec): Test {
  const { constants, functions, guards } = guardCode([codec])
  // The number makes each source text unique, because V8 shares compiled code between equal texts, and shared code runs
  // at half the speed.
  const code = `// ${generated++}\n"use strict";\nconst [${constants.map((_, i) => `c${i}`)}] = constants;\n${functions.join('')}return ${guards[0]};`
  return new Function('constants', code)(constants)
}

/** The generated code of several guards. */
export interface GuardCode {
  /** The values of `c0`, `c1` and so on in the code. The first is `Object.prototype.hasOwnProperty`. */
  readonly constants: readonly unknown[]
  readonly functions: readonly string[]
  /** The names of the functions that check the codecs. */
  readonly guards: readonly string[]
}

/**
 * Generates straight-line code for codecs: one function for each codec, with calls only for items, for codecs that are
 * used twice, and for custom codecs. The code reads the same properties as `codec.is`, in the same order and equally
 * often.
 *
 * Strings of a codec enter the code through JSON.stringify; all other values are passed by reference.
 */
export function guardCode(codecs: readonly Codec[]): GuardCode {
  const constants: unknown[] = [Object.prototype.hasOwnProperty]
  const functions: string[] = []
  const names = new Map<Codec, string>()
  const inlined = new Set<Codec>()
  let variables: string[]
  let checks: number

  const isObject = (v: string) => `typeof ${v} === "object" && ${v} !== null && !Array.isArray(${v})`
  const all = (tests: readonly string[]) => tests.filter(test => test !== 'true').join(' &&\n') || 'true'

  function constant(value: unknown): string {
    const known = constants.indexOf(value)
    return `c${known < 0 ? constants.push(value) - 1 : known}`
  }

  function variable(): string {
    return `v${variables.push(`v${variables.length + 1}`)}`
  }

  function oneOf(v: string, values: readonly unknown[]): string {
    // A set would find NaN, which `===` never does. So values with NaN are compared one by one.
    if (values.length > fewest && !values.includes(Number.NaN))
      return `${constant(new Set(values))}.has(${v})`
    const tests = values.map(
      value =>
        `${v} === ${typeof value === 'string' || value === null ? JSON.stringify(value) : constant(value)}`,
    )
    return `(${tests.join(' || ') || false})`
  }

  /** Returns the name of the function that checks a codec. */
  function named(codec: Codec): string {
    let name = names.get(codec)
    if (name === undefined) {
      name = `f${names.size}`
      names.set(codec, name)
      const outer = { variables, checks }
      variables = []
      checks = 0
      const body = structure(codec).kind === 'record' ? record(codec) : `return ${inline(codec, 'v')};`
      const locals = variables.length > 0 ? `let ${variables};\n` : ''
      functions.push(`function ${name}(v) {\n${locals}${body}\n}\n`)
      variables = outer.variables
      checks = outer.checks
    }
    return name
  }

  /** Returns an expression that is truthy when the codec accepts the variable `v`. */
  function test(codec: Codec, v: string): string {
    const { kind, parts } = structure(codec)
    // The second use calls a function. Otherwise, a codec that contains another codec twice would double the code at
    // each level.
    const again = inlined.has(codec) && !(parts.length <= few && parts.every(isLeaf))
    const apart = kind === 'record' || (parts.length > 1 && (again || checks > longest))
    inlined.add(codec)
    checks++
    return apart ? `${named(codec)}(${v})` : inline(codec, v)
  }

  function inline(codec: Codec, v: string): string {
    const shape = structure(codec)
    const { parts } = shape
    const part = parts[0]!
    switch (shape.kind) {
      case 'any':
        return 'true'
      case 'typeof':
        return `typeof ${v} === ${JSON.stringify(shape.type)}`
      case 'oneOf':
        return oneOf(v, shape.values)
      case 'object':
        return all([
          isObject(v),
          ...parts.map((part, i) => field(v, shape.names[i]!, part, shape.presence[i]!)),
        ])
      case 'array': {
        // `every` also passes the index and the array, which a custom `is` may read.
        const each = part && (structure(part).kind === 'custom' ? `${constant(part)}.is` : named(part))
        return `Array.isArray(${v})${part ? ` && ${v}.every(${each})` : ''}`
      }
      case 'tuple': {
        const items = parts.map((part, i) => {
          const w = variable()
          return `(${w} = ${v}[${i}], ${test(part, w)})`
        })
        return all([`Array.isArray(${v}) && ${v}.length === ${parts.length}`, ...items])
      }
      case 'all':
        return all(parts.map(part => test(part, v)))
      case 'some':
        return `(${parts.map(part => test(part, v)).join(' || ')})`
      case 'tagged': {
        const w = variable()
        const branches = parts.map((part, i) => `${oneOf(w, shape.values[i]!)} ? ${test(part, v)} :\n`)
        return `${isObject(v)} && (${w} = ${v}[${JSON.stringify(shape.tag)}], ${branches.join('')}false)`
      }
      case 'refinement':
        return `${test(part, v)} && ${constant(shape.predicate)}(${v})`
      case 'same':
        return test(part, v)
      case 'recursion':
        return `${named(part)}(${v})`
      default:
        return `${constant(codec)}.is(${v})`
    }
  }

  function field(v: string, name: string, part: Codec, presence: Presence): string {
    const w = variable()
    const key = JSON.stringify(name)
    const accepted = test(part, w)
    if (presence === 'nullable' || presence === 'optional') {
      return `((${w} = ${v}[${key}]) ${presence === 'nullable' ? '== null' : '=== undefined'} || ${accepted})`
    }
    return all([`((${w} = ${v}[${key}]) !== undefined || c0.call(${v}, ${key}))`, accepted])
  }

  /**
   * `codec.is` lists the keys, which takes twice as long as the other checks. A loop over the object is faster, but it
   * also visits inherited keys, and it might refuse the object before it has asked a proxy for every key. So if the
   * loop refuses the object, a check of the listed keys decides. Nested records use only the list, because each level
   * would double the checks.
   */
  function record(codec: Codec): string {
    const { domain, arrays, parts } = structure(codec) as Extract<Structure, { kind: 'record' }>
    const text = structure(domain)
    const allowed = text.kind === 'typeof' && text.type === 'string' ? '' : `if (${test(domain, 'k')}) `
    const accepted = test(parts[0]!, 'w')
    const each = (refuse: string) => `${allowed}{\nconst w = v[k];\nif (!(${accepted})) ${refuse};\n}\n`
    const loop = `try {\nfast: {\nfor (const k in v) ${each('break fast')}return true;\n}\n} catch {}\n`
    return `if (!(${isObject('v')})) return ${arrays && 'Array.isArray(v)'};
${nests(domain) || nests(parts[0]!) ? '' : loop}for (const k of Object.keys(v)) ${each('return false')}return true;`
  }

  return { constants, functions, guards: codecs.map(named) }
}

/** Returns whether a codec contains a record, a recursive codec or custom code. */
export function nests(codec: Codec): boolean {
  const { kind, parts } = structure(codec)
  return kind === 'record' || kind === 'recursion' || kind === 'custom' || parts.some(nests)
}

/** Returns whether a codec can accept undefined. */
export function acceptsUndefined(codec: Codec): boolean {
  const shape = structure(codec)
  if (shape.kind === 'oneOf') return shape.values.includes(undefined)
  if (shape.kind === 'some') return shape.parts.some(acceptsUndefined)
  if (['all', 'refinement', 'same'].includes(shape.kind)) return shape.parts.every(acceptsUndefined)
  return ['any', 'custom', 'recursion'].includes(shape.kind)
}

function isLeaf(codec: Codec): boolean {
  return structure(codec).parts.length === 0
}
