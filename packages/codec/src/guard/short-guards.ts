import type { Codec, Presence, Structure } from '../io-ts/codec-structure.ts'
import { structure } from '../io-ts/structure.ts'
import { acceptsUndefined, fewest, longest, nests } from './generate.ts'

/**
 * The placeholder for the checked value in generated code. Strings in the code cannot contain it, because JSON
 * escapes it.
 */
const it = '\0'

/** A check of a field or an item. Equal checks are one object, so that their code is written only once. */
interface Check {
  readonly codec: Codec
  /** Whether the check also accepts undefined, or both undefined and null. */
  readonly presence: Presence | undefined
  /** The number of places in the code that need this check. */
  uses: number
  /** Whether the check must be a function, even if that makes the code longer. */
  isFunction: boolean
  code?: Code
  /** The name of the function for this check. Undefined if the check is only an expression. */
  name?: string
}

/** An expression that is truthy when the checked value is accepted. */
interface Code {
  readonly text: string
  /** The expression uses the variables from v1 up to v`height`. */
  readonly height: number
  /** The number of checks in the expression. */
  readonly checks: number
}

/** The generated code of several guards. */
export interface ShortGuards {
  /** The values of `c0`, `c1` and so on in the code. */
  readonly sets: readonly ReadonlySet<unknown>[]
  readonly functions: readonly string[]
  /** The names of the functions that check the codecs. */
  readonly guards: readonly string[]
}

/** Functions that return the code for parts of an expression. */
interface Parts {
  /** Returns a check of the value, or of the field `key`, which is written as JSON. */
  test(part: Codec, key?: string, presence?: Presence): string
  /** Returns the name of the function that checks a part. */
  named(part: Codec): string
  variable(): string
}

/**
 * Generates short code for the guards of precompiled codecs. A check that many fields need is a separate function. For
 * values from JSON, the result is that of `codec.is`. The code reads the same properties as `codec.is`, in the same order
 * and equally often, with these exceptions:
 *
 * - It checks whether a field is an own property only if the codec treats absent and undefined fields differently. Only
 *   a Proxy can detect that the code leaves this check out.
 * - It reads a record, and a list of one type, in a loop. If the loop accepts a list, the list's own `every` is not
 *   called, even if it would refuse the list. If the loop refuses an element or a field, `every` decides, and reads the
 *   elements or fields up to the refused one again.
 *
 * The code calls `isObject`.
 *
 * @param nameOf returns the name of a condition
 */
export function shortGuards(codecs: readonly Codec[], nameOf: (condition: unknown) => string): ShortGuards {
  const sets: ReadonlySet<unknown>[] = []
  const functions: string[] = []
  const known = new Map<Codec, Map<Presence | undefined, Check>>()
  /** The checks, keyed by their code. */
  const checks = new Map<string, Check>()
  const positions = new Map<Check, number>()
  const roots = codecs.map(codec => checkOf(codec))
  for (const root of roots) root.isFunction = true
  return { sets, functions, guards: roots.map(functionOf) }

  /** Returns the check of a codec. Codecs with equal code share one check. */
  function checkOf(codec: Codec, presence?: Presence): Check {
    const ofCodec = known.get(codec) ?? new Map<Presence | undefined, Check>()
    known.set(codec, ofCodec)
    const check = ofCodec.get(presence) ?? newCheck(codec, presence)
    ofCodec.set(presence, check)
    return check
  }

  function newCheck(codec: Codec, presence: Presence | undefined): Check {
    const parts = new Set<Check>()
    const position = (part: Codec, presence?: Presence) => {
      const check = checkOf(part, presence)
      parts.add(check)
      return positions.get(check)!
    }
    const key = expression(codec, presence, {
      test: (part, key, presence) => `#${position(part, presence)}(${key})`,
      named(part) {
        checkOf(part).isFunction = true
        return `#${position(part)}`
      },
      variable: () => '#',
    })
    let check = checks.get(key)
    if (!check) {
      check = { codec, presence, uses: 0, isFunction: hasLoop(codec, presence) }
      checks.set(key, check)
      positions.set(check, positions.size)
      for (const part of parts) part.uses += key.split(`#${positions.get(part)}(`).length - 1
    }
    return check
  }

  function codeOf(check: Check): Code {
    if (check.code) return check.code
    let height = 0
    let checks = 1
    const test = (part: Codec, key?: string, presence?: Presence): string => {
      const inner = checkOf(part, presence)
      const code = codeOf(inner)
      const place = key === undefined ? it : `${it}[${key}]`
      const isAbsenceChecked = key !== undefined && presence === undefined && acceptsUndefined(part)
      const isCall = !isAbsenceChecked && (isApart(inner) || checks + code.checks > longest)
      checks += isCall ? 1 : code.checks
      if (isCall) return `${functionOf(inner)}(${place})`
      height = Math.max(height, code.height)
      if (key === undefined) return code.text
      if (!isAbsenceChecked && code.text.split(it).length === 2) return code.text.replace(it, () => place)
      // The code of the part uses only variables up to v`code.height`, so the next one is free.
      const v = `v${code.height + 1}`
      height = Math.max(height, code.height + 1)
      const accepted = code.text.replaceAll(it, v)
      return isAbsenceChecked
        ? both(`((${v} = ${place}) !== undefined || Object.hasOwn(${it}, ${key}))`, accepted)
        : `(${v} = ${place}, ${accepted})`
    }
    const named = (part: Codec) => functionOf(checkOf(part))
    const text = expression(check.codec, check.presence, { test, named, variable: () => `v${++height}` })
    check.code = { text, height, checks }
    return check.code
  }

  /**
   * Returns whether the total code becomes shorter when the check is a function. A check of a type stays an expression,
   * because V8 does not replace each of many calls by the code of the function.
   */
  function isApart(check: Check): boolean {
    if (check.presence === undefined && structure(check.codec).kind === 'typeof') return false
    const { text, height } = codeOf(check)
    const { length } = text.replace(/isObject|[vcf]\d+|\s/g, '').replaceAll('===', '==')
    return check.isFunction || check.uses * (length + 5 * height - 3) > length + 25
  }

  function functionOf(check: Check): string {
    if (check.name === undefined) {
      const { text, height } = codeOf(check)
      const locals = Array.from({ length: height }, (_, i) => `v${i + 1}`)
      const body =
        (height > 0 ? `let ${locals};\n` : '') +
        (hasLoop(check.codec, check.presence) ? text : `return ${text};`)
      check.name = `f${functions.length}`
      functions.push(`function ${check.name}(v) {\n${body.replaceAll(it, 'v')}\n}\n`)
    }
    return check.name
  }

  function expression(codec: Codec, presence: Presence | undefined, parts: Parts): string {
    const shape = structure(codec)
    if (presence === undefined) return expressionOf(shape, parts)
    // A function that only calls another function is slow, and would save little code.
    const accepted = shape.kind === 'typeof' ? expressionOf(shape, parts) : parts.test(codec)
    return `(${it} ${presence === 'nullable' ? '== null' : '=== undefined'} || ${accepted})`
  }

  function expressionOf(shape: Structure, { test, named, variable }: Parts): string {
    const { parts } = shape
    switch (shape.kind) {
      case 'any':
        return 'true'
      case 'typeof':
        return `typeof ${it} === ${JSON.stringify(shape.type)}`
      case 'oneOf':
        return oneOf(it, shape.values)
      case 'object': {
        const fields = parts.map((part, i) => {
          const presence = shape.presence[i]!
          const mayBeAbsent = presence === 'nullable' || presence === 'optional'
          return test(part, JSON.stringify(shape.names[i]), mayBeAbsent ? presence : undefined)
        })
        return both(`isObject(${it})`, ...fields)
      }
      case 'record':
        return recordOf(parts[0]!, { test, named, variable })
      case 'array': {
        const part = parts[0]
        if (part && structure(part).kind === 'typeof') return listOf(part, { test, named, variable })
        return both(`Array.isArray(${it})`, part ? `${it}.every(${named(part)})` : 'true')
      }
      case 'all':
        return both(...parts.map(part => test(part)))
      case 'some':
        return `(${parts.map(part => test(part)).join(' || ')})`
      case 'tagged': {
        const w = variable()
        const branches = parts.map((part, i) => `${oneOf(w, shape.values[i]!)} ? ${test(part)} :\n`)
        return `isObject(${it}) && (${w} = ${it}[${JSON.stringify(shape.tag)}], ${branches.join('')}false)`
      }
      case 'refinement':
        return both(test(parts[0]!), `${nameOf(shape.predicate)}(${it})`)
      default:
        return test(parts[0]!)
    }
  }

  /**
   * A loop over an object is faster than a list of its keys, but it also visits inherited keys, and it might refuse the
   * object before it has asked a proxy for every key. So if the loop refuses the object, a check of the listed keys
   * decides.
   */
  function recordOf(part: Codec, { test, named }: Parts): string {
    const value = `${it}[k]`
    const isSimple = structure(part).kind === 'typeof'
    const accepted = isSimple ? test(part).replace(it, () => value) : `${named(part)}(${value})`
    const loop = `try {\nfor (const k in ${it}) if (!(${accepted})) throw 0;\nreturn true;\n} catch {}\n`
    return `if (!isObject(${it})) return false;\n${nests(part) ? '' : loop}return Object.keys(${it}).every(k => ${accepted});`
  }

  /**
   * A loop over a list is faster than `every`, but it also visits holes, which `every` skips. So if the loop refuses the
   * list, `every` decides.
   */
  function listOf(part: Codec, { test }: Parts): string {
    const accepted = (w: string) => test(part).replace(it, () => w)
    const every = `${it}.every(w => ${accepted('w')})`
    const loop = `for (let i = 0; i < ${it}.length; i++) if (!(${accepted(`${it}[i]`)})) return ${every};\n`
    return `if (!Array.isArray(${it})) return false;\n${loop}return true;`
  }

  function oneOf(v: string, values: readonly unknown[]): string {
    if (values.length > fewest) return `${setOf(values)}.has(${v})`
    return `(${values.map(value => `${v} === ${JSON.stringify(value)}`).join(' || ') || false})`
  }

  function setOf(values: readonly unknown[]): string {
    const known = sets.findIndex(set => set.size === values.length && values.every(value => set.has(value)))
    return `c${known < 0 ? sets.push(new Set(values)) - 1 : known}`
  }
}

function both(...tests: readonly string[]): string {
  return tests.filter(test => test !== 'true').join(' &&\n') || 'true'
}

/** Returns whether the code of a check consists of statements, so that it must be a function. */
function hasLoop(codec: Codec, presence: Presence | undefined): boolean {
  const { kind, parts } = structure(codec)
  if (presence !== undefined) return false
  return (
    kind === 'record' || (kind === 'array' && parts[0] !== undefined && structure(parts[0]).kind === 'typeof')
  )
}
