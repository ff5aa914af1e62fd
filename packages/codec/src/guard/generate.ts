import { isObject } from '../json/is-object.ts'
import { hasOnly, isDense, isPlainObject } from '../json/is-plain-object.ts'
import { acceptsUndefined, type Mark, type Node, nodesOf, partsOf } from '../structure/table.ts'
import { reaches, type Structure } from '../structure/written.ts'

/** The functions that generated code calls by their names. */
export const called = { isObject, isPlainObject, hasOnly, isDense }

/** Stands for a property in code. Strings in the code cannot contain it, because JSON escapes it. */
const placeholder = '\0'

/** The maximum number of checks in one function. Checks in longer functions take several times as long. */
const longest = 300

/** The maximum number of values for which separate comparisons are faster than a set. */
const fewest = 8

/** The number of equal checks of fields from which a function is shorter. */
const several = 3

/** Returns a guard of a structure, or undefined where the runtime forbids generating code from strings. */
export function generate(structure: Structure, isExact = false): ((value: unknown) => unknown) | undefined {
  const constants: unknown[] = []
  const { functions, guardsOf } = generator(value => {
    const known = constants.indexOf(value)
    return `c${known < 0 ? constants.push(value) - 1 : known}`
  })
  const [guard] = guardsOf(structure, [structure.root], isExact)
  const code = `"use strict";\nconst {${Object.keys(called)}} = called, [${constants.map((_, i) => `c${i}`)}] = constants;\n${functions.join('')}return ${guard};`
  try {
    return new Function('called', 'constants', code)(called, constants)
  } catch (error) {
    if (error instanceof EvalError) return undefined
    throw error
  }
}

/** Generates the code of guards. */
export interface Generator {
  readonly functions: readonly string[]
  /**
   * Returns the names of functions that check the nodes at these positions. An exact guard also requires that the JSON
   * of a value contains exactly what the structure describes: its objects are plain and have no unknown fields, and its
   * lists have neither holes nor `toJSON`. Other values may be valid, too.
   */
  guardsOf(structure: Structure, roots: readonly number[], isExact?: boolean): readonly string[]
}

/**
 * Starts the code of guards, which functions share. For values from JSON, a guard has the result of `codec.is`. For
 * others, too, it reads the same properties in the same order and equally often, with one exception: it asks whether a
 * field is an own property only if the codec treats absent and undefined fields differently, which only a Proxy can see.
 *
 * Strings of a codec enter the code through JSON.stringify, and all other values through `nameOf`.
 * @param nameOf returns the name of a condition, a codec, a set or another value that JSON does not have
 */
export function generator(nameOf: (value: unknown) => string): Generator {
  const functions: string[] = []
  /** The names of the functions by their code. Equal functions are written once. */
  const known = new Map<string, string>()
  const sets: ReadonlySet<unknown>[] = []
  let count = 0
  return { functions, guardsOf }

  function functionOf(body: string, name = `f${count++}`): string {
    const same = known.get(body)
    if (same !== undefined) return same
    functions.push(`function ${name}(v) {\n${body}\n}\n`)
    known.set(body, name)
    return name
  }

  function setOf(values: readonly unknown[]): string {
    let set = sets.find(each => each.size === values.length && values.every(value => each.has(value)))
    if (!set) {
      set = new Set(values)
      sets.push(set)
    }
    return nameOf(set)
  }

  function oneOf(v: string, values: readonly unknown[]): string {
    // A set would find NaN, which `===` never does.
    if (values.length > fewest && !values.includes(Number.NaN)) return `${setOf(values)}.has(${v})`
    const tests = values.map(value => `${v} === ${isJson(value) ? JSON.stringify(value) : nameOf(value)}`)
    return `(${tests.join(' || ') || false})`
  }

  function guardsOf(
    { table, codecs }: Structure,
    roots: readonly number[],
    isExact = false,
  ): readonly string[] {
    const nodes = nodesOf(table)
    const object = isExact ? 'isPlainObject' : 'isObject'
    const uses = new Map<number | string, number>()
    const names = new Map<number, string>()
    let variables: string[] = []
    let checks = 0
    const reached = new Set(roots)
    for (const root of roots) use(root)
    for (const position of reached) {
      const node = nodes[position]!
      for (const part of partsOf(node)) {
        reached.add(part)
        use(part)
      }
      if (node[0] === 'object') for (const [, mark, part] of pairsOf(node)) use(mark + part)
    }
    return roots.map(named)

    function use(key: number | string): void {
      uses.set(key, (uses.get(key) ?? 0) + 1)
    }

    function variable(): string {
      return `v${variables.push(`v${variables.length + 1}`)}`
    }

    /** Returns the name of the function that checks a node. */
    function named(position: number): string {
      let name = names.get(position)
      if (name === undefined) {
        name = `f${count++}`
        names.set(position, name)
        name = functionOf(
          bodyOf(() => codeOf(position)),
          name,
        )
        names.set(position, name)
      }
      return name
    }

    /** Returns the body of a function with its own variables. */
    function bodyOf(make: () => string): string {
      const outer = { variables, checks }
      variables = []
      checks = 0
      const code = make()
      const locals = variables.length > 0 ? `let ${variables};\n` : ''
      variables = outer.variables
      checks = outer.checks
      return locals + code
    }

    function codeOf(position: number): string {
      const node = nodes[position]!
      return node[0] === 'record' ? record(node as never) : `return ${inline(position, 'v')};`
    }

    /** Returns an expression that is truthy when a node accepts the variable `v`. */
    function test(position: number, v: string): string {
      const node = nodes[position]!
      const isApart = node[0] === 'record' || (!isLeaf(node) && (uses.get(position)! > 1 || checks > longest))
      checks++
      return isApart ? `${named(position)}(${v})` : inline(position, v)
    }

    function inline(position: number, v: string): string {
      const node = nodes[position]!
      if (typeof node === 'string') return `typeof ${v} === ${JSON.stringify(node)}`
      switch (node[0]) {
        case 'any':
          return 'true'
        case 'one of':
          return oneOf(v, node.slice(2))
        case 'object': {
          const fields = pairsOf(node)
          const only =
            isExact && fields.length > 0 ? `hasOnly(${v}, ${setOf(fields.map(([name]) => name))})` : 'true'
          return both(`${object}(${v})`, only, ...fields.map(each => field(v, ...each)))
        }
        case 'array': {
          const [, items] = node
          const isArray = `${isExact ? 'isDense' : 'Array.isArray'}(${v})`
          // `every` also passes the index and the array, which a custom `is` may read.
          return items === undefined
            ? isArray
            : `${isArray} && ${v}.every(${ownGuard(items) ?? named(items)})`
        }
        case 'tuple': {
          const parts = node.slice(2) as readonly number[]
          const items = parts.map((part, i) => read(`${v}[${i}]`, w => test(part, w)))
          return both(`Array.isArray(${v}) && ${v}.length === ${parts.length}`, ...items)
        }
        case 'all':
          return both(...(node.slice(2) as number[]).map(part => test(part, v)))
        case 'some':
          return `(${(node.slice(2) as number[]).map(part => test(part, v)).join(' || ')})`
        case 'tagged': {
          const [, , tag, ...branches] = node
          const w = variable()
          const tests = branches.map(([part, ...values]) => `${oneOf(w, values)} ? ${test(part, v)} :\n`)
          return `${object}(${v}) && (${w} = ${v}[${JSON.stringify(tag)}], ${tests.join('')}false)`
        }
        case 'where':
          return both(test(node[2], v), `${nameOf(table.conditions[node[3]])}(${v})`)
        case 'recursive':
          return `${named(node[2])}(${v})`
        case 'codec':
          return `${ownGuard(position)}(${v})`
        default:
          return test(node[1], v)
      }
    }

    /** Returns the guard of a codec that only checks itself. */
    function ownGuard(position: number): string | undefined {
      return nodes[position]![0] === 'codec' ? `${nameOf(codecs!.get(position))}.is` : undefined
    }

    /** Returns a test of a property, which is read once. */
    function read(property: string, testOf: (w: string) => string): string {
      const code = testOf(placeholder)
      if (code.split(placeholder).length === 2) return code.replace(placeholder, () => property)
      const w = variable()
      return `(${w} = ${property}, ${code.replaceAll(placeholder, w)})`
    }

    function field(v: string, name: string, mark: Mark, part: number): string {
      const key = JSON.stringify(name)
      const property = `${v}[${key}]`
      const node = nodes[part]!
      const absent = { '?': '== null', '-': '=== undefined', '!': '', '=': '' }[mark]
      if (absent !== '') {
        const testOf = (w: string) => `(${w} ${absent} || ${test(part, w)})`
        if ((isLeaf(node) || uses.get(part)! > 1) && uses.get(mark + part)! >= several)
          return `${functionOf(bodyOf(() => `return ${testOf('v')};`))}(${property})`
        return read(property, testOf)
      }
      if (acceptsUndefined(nodes, part)) {
        const w = variable()
        const isThere = `(${w} = ${property}) !== undefined`
        return both(isExact ? isThere : `(${isThere} || Object.hasOwn(${v}, ${key}))`, test(part, w))
      }
      return read(property, w => test(part, w))
    }

    /**
     * `codec.is` lists the keys, which takes twice as long as the other checks. A loop over the object is faster, but it
     * also visits inherited keys, and it might refuse the object before it has asked a proxy for every key. So if the
     * loop refuses the object, a check of the listed keys decides. Nested records use only the list, because each level
     * would double the checks.
     */
    function record([, values, allowed, arrays]: Extract<Node, readonly ['record', ...unknown[]]>): string {
      const names = allowed == null ? '' : `if (${test(allowed, 'k')}) `
      const accepted = test(values, 'w')
      const each = (refuse: string) => `${names}{\nconst w = v[k];\nif (!(${accepted})) ${refuse};\n}\n`
      const loop = `try {\nfast: {\nfor (const k in v) ${each('break fast')}return true;\n}\n} catch {}\n`
      const isNested = [values, allowed ?? values].some(part =>
        reaches(nodes, part, ([kind]) => kind === 'record' || kind === 'recursive' || kind === 'codec'),
      )
      return `if (!${object}(v)) return ${arrays === true && 'Array.isArray(v)'};
${isNested ? '' : loop}for (const k of Object.keys(v)) ${each('return false')}return true;`
    }
  }
}

function both(...tests: readonly string[]): string {
  return tests.filter(test => test !== 'true').join(' &&\n') || 'true'
}

/** Returns whether JSON has a value that is neither an object nor an array. */
export function isJson(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
}

function isLeaf(node: Node): boolean {
  return partsOf(node).length === 0
}

function pairsOf(node: Extract<Node, readonly ['object', ...unknown[]]>): readonly [string, Mark, number][] {
  return node.flatMap((each, i) =>
    typeof each === 'string' && i > 0
      ? [[each.slice(1), each[0] as Mark, node[i + 1] as number] as [string, Mark, number]]
      : [],
  )
}
