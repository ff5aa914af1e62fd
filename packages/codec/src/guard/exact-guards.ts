import type { Codec, Presence, Structure } from '../io-ts/codec-structure.ts'
import { structure } from '../io-ts/structure.ts'
import { UnwritableError } from '../ready/write-table.ts'
import { acceptsUndefined } from './generate.ts'

/** The generated code of several exact guards. */
export interface ExactGuards {
  readonly functions: readonly string[]
  /** The names of the functions that check the codecs. */
  readonly guards: readonly string[]
}

/**
 * Generates exact guards (see `isExact`). One function checks the names and the values of an object's fields, so that
 * the object is looked at only once.
 *
 * The code calls `isPlainObject`.
 *
 * @param nameOf returns the name of a condition
 * @throws UnwritableError for a codec that does more than check the fields of objects
 */
export function exactGuards(codecs: readonly Codec[], nameOf: (condition: unknown) => string): ExactGuards {
  const functions: string[] = []
  const names = new Map<string, string>()
  return { functions, guards: codecs.map(codec => functionOf(bodyOf(codec))) }

  /** Returns the name of a function of `v`. Equal functions are written once. */
  function functionOf(body: string): string {
    const known = names.get(body)
    if (known !== undefined) return known
    const name = `x${functions.length}`
    functions.push(`function ${name}(v) {\n${body}}\n`)
    names.set(body, name)
    return name
  }

  function bodyOf(codec: Codec): string {
    const shape = structure(codec)
    const part = shape.parts[0]!
    switch (shape.kind) {
      case 'object':
        return objectBody(shape)
      case 'record':
        return `${plain}for (const k in v) ${refuseUnless(accepted(part, 'v[k]'))}return true;\n`
      case 'array': {
        if (!part) throw refusal(codec, 'it is a list of any values')
        const loop = `for (let i = 0; i < v.length; i++) ${refuseUnless(present(part, 'v[i]'))}`
        return `if (!Array.isArray(v) || v.toJSON !== undefined) return false;\n${loop}return true;\n`
      }
      default:
        return `return ${accepted(codec, 'v')};\n`
    }
  }

  function objectBody({ names, presence, parts }: Extract<Structure, { kind: 'object' }>): string {
    if (names.length === 0) return `${plain}return true;\n`
    const isUnknown = names.map(name => `k !== ${JSON.stringify(name)}`).join(' && ')
    const fields = names.map((name, i) => field(`v[${JSON.stringify(name)}]`, parts[i]!, presence[i]!))
    const test = fields.join(' &&\n')
    const local = test.includes('(w = ') ? 'let w;\n' : ''
    return `${plain}for (const k in v) if (${isUnknown}) return false;\n${local}return ${test};\n`
  }

  function field(v: string, part: Codec, presence: Presence): string {
    const absent = { nullable: '== null', optional: '=== undefined' }[presence as string]
    if (absent === undefined) return present(part, v)
    // Many fields share this check.
    if (structure(part).kind === 'typeof')
      return `${functionOf(`return v ${absent} || ${accepted(part, 'v')};\n`)}(${v})`
    return `((w = ${v}) ${absent} || ${accepted(part, 'w')})`
  }

  /** Does the same as `accepted`, but refuses undefined, which JSON has not. */
  function present(codec: Codec, v: string): string {
    return `${acceptsUndefined(codec) ? `${v} !== undefined && ` : ''}${accepted(codec, v)}`
  }

  /** Returns an expression that is truthy when the codec accepts the value `v`. */
  function accepted(codec: Codec, v: string): string {
    const shape = structure(codec)
    switch (shape.kind) {
      case 'any':
        return 'true'
      case 'typeof':
        return `typeof ${v} === ${JSON.stringify(shape.type)}`
      case 'oneOf':
        return `(${shape.values.map(value => `${v} === ${JSON.stringify(value)}`).join(' || ')})`
      case 'refinement':
        if (structure(shape.parts[0]!).kind === 'any') return `${nameOf(shape.predicate)}(${v})`
        break
      case 'object':
      case 'record':
      case 'array':
        return `${functionOf(bodyOf(codec))}(${v})`
    }
    throw refusal(codec, `its kind is ${shape.kind}`)
  }
}

const plain = 'if (!isPlainObject(v)) return false;\n'

function refuseUnless(test: string): string {
  return `if (!(${test})) return false;\n`
}

function refusal({ name }: Codec, reason: string): UnwritableError {
  return new UnwritableError(`The codec ${name} cannot be an exact guard: ${reason}`)
}
