import { isObject } from '@signalbox/codec'
import { computedOf } from './computed.ts'
import { type Body, type Expression, type Step, stepsOf } from './hcl.ts'
import { blockOf, localOf, moduleSources, partOf, type Source } from './module-sources.ts'
import type { Module, Plan, PlannedResource } from './plan.ts'

type Table = { readonly [name: string]: unknown }

/** Where an expression stands: in a module, and perhaps in one of several instances. */
interface Here {
  readonly module: Module
  /** The instance whose `each` and `count` are meant. */
  readonly key: Step | undefined
  /** The block that has `for_each`. */
  readonly block: Body | undefined
  /** The number of references that lead here. */
  readonly depth: number
}

/** The number of references after which a value is not looked for any more. */
const mostSteps = 50

/** The length from which on a value of the cloud is recognized in a text. */
const leastCloudValue = 12

/** Returns whether the value of an attribute is more than the one thing to which it may refer. */
function isComposed(address: string): boolean {
  return /\.(?:environment|redrive_policy)$/.test(address)
}

/** Returns what an expression of a plan's configuration refers to. */
function referencesOf(expression: unknown): readonly string[] {
  const found = isObject(expression) ? expression.references : undefined
  return Array.isArray(found) ? found.map(String) : []
}

/** Returns what a template says for a value that is known in the cloud alone. */
function onlyInTheCloud(name: string): Table {
  return { Ref: name }
}

/**
 * Returns functions with the attributes of resources and the outputs of a plan. In values that the plan does not know, and in
 * those that the cloud gave, calls of `Ref` and `Fn::GetAtt` stand for the ARNs, addresses and ids of this platform.
 * @param folder the folder of the root module, whose files say how unknown values are made
 */
export function resolverOf(plan: Plan, folder: string) {
  const sourceOf = moduleSources(folder)
  const cloudValues = cloudValuesOf(plan)

  /** Returns a known value with the platform's own values in place of those of the cloud. */
  function local(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(local)
    if (isObject(value))
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, local(each)]))
    if (typeof value !== 'string' || value.length < leastCloudValue) return value
    const at = cloudValues.find(([text]) => value.includes(text))
    if (at === undefined) return value
    const [text, call] = at
    if (text === value) return call
    const parts = value.split(text).flatMap((part, index) => (index === 0 ? [part] : [call, part]))
    return { 'Fn::Join': ['', parts.map(part => (typeof part === 'string' ? local(part) : part))] }
  }

  function attributesOf(resource: PlannedResource): Table {
    const { module, values, unknown, expressions, key } = resource
    const block = blockOf(
      sourceOf(module),
      resource.mode === 'data' ? 'data' : 'resource',
      resource.type,
      resource.name,
    )
    const here: Here = { module, key, block, depth: 0 }
    const names = new Set([...Object.keys(values), ...Object.keys(expressions)])
    return Object.fromEntries(
      [...names].flatMap(name => {
        const source = block === undefined ? undefined : partOf(block, name)
        const found = merged(
          values[name],
          unknown[name],
          expressions[name],
          source,
          here,
          `${resource.address}.${name}`,
        )
        return found === undefined || found === null ? [] : [[name, found] as const]
      }),
    )
  }

  /** Returns a value that is known, with what its expression says in place of what is not. */
  function merged(
    value: unknown,
    unknown: unknown,
    expression: unknown,
    source: Expression | readonly Body[] | undefined,
    here: Here,
    what: string,
  ): unknown {
    if (unknown === true) {
      if (source !== undefined)
        return (isBodies(source) ? undefined : evaluated(source, here)) ?? onlyInTheCloud(what)
      if (Array.isArray(expression) || expression === undefined) return undefined
      return (isComposed(what) ? undefined : configuredValue(expression, here)) ?? onlyInTheCloud(what)
    }
    if (Array.isArray(unknown) || Array.isArray(value)) {
      const values = Array.isArray(value) ? value : []
      const marks = Array.isArray(unknown) ? unknown : []
      const length = Math.max(values.length, marks.length)
      const order = Array.isArray(expression) ? orderOf(values, expression, length) : undefined
      return Array.from({ length }, (_, at) => {
        if (!Array.isArray(expression))
          return merged(values[at], marks[at], expression, itemOf(source, at), here, what)
        const from = order?.[at]
        const inner = from === undefined ? {} : expression[from]
        return merged(
          values[at],
          marks[at],
          inner,
          from === undefined ? undefined : itemOf(source, from),
          here,
          what,
        )
      })
    }
    if (isObject(unknown) || isObject(value)) {
      const values = isObject(value) ? value : {}
      const marks = isObject(unknown) ? unknown : {}
      const isBlock =
        isObject(expression) && !('references' in expression) && !('constant_value' in expression)
      return Object.fromEntries(
        [...new Set([...Object.keys(values), ...Object.keys(marks)])].flatMap(name => {
          const inner = isBlock ? expression[name] : expression
          const found = merged(values[name], marks[name], inner, fieldOf(source, name), here, what)
          return found === undefined || found === null ? [] : [[name, found] as const]
        }),
      )
    }
    return local(value)
  }

  /** Returns the value of an expression, or undefined for one that says none. */
  function evaluated(expression: Expression, here: Here): unknown {
    switch (expression.kind) {
      case 'value':
        return expression.value
      case 'template': {
        const parts = expression.parts.map(part => evaluated(part, here))
        return parts.includes(undefined) ? undefined : { 'Fn::Join': ['', parts] }
      }
      case 'call': {
        const given = expression.given.map(each => evaluated(each, here))
        return given.includes(undefined) ? undefined : called(expression.name, given)
      }
      case 'list': {
        const items = expression.items.map(item => evaluated(item, here))
        return items.includes(undefined) ? undefined : items
      }
      case 'object':
        return Object.fromEntries(
          expression.entries.map(([name, each]) => [
            name,
            evaluated(each, here) ?? onlyInTheCloud(`the value of ${name}`),
          ]),
        )
      case 'reference':
        return referred(expression.path, here)
      default:
        return undefined
    }
  }

  /** Returns what a reference means, or undefined for one that cannot be followed. */
  function referred(path: readonly Step[], from: Here): unknown {
    const here = { ...from, depth: from.depth + 1 }
    if (here.depth > mostSteps) return undefined
    const steps = path.map(step => (step === '[own]' ? (from.key ?? step) : step))
    const [first, second, ...rest] = steps
    switch (first) {
      case 'var':
        return within(variable(String(second), here), rest)
      case 'local': {
        const found = localOf(sourceOf(here.module), String(second))
        return found && within(evaluated(found, { ...here, key: undefined, block: undefined }), rest)
      }
      case 'each':
        return second === 'key' ? here.key : within(eachValue(here), rest)
      case 'count':
        return second === 'index' ? here.key : undefined
      case 'path':
        return undefined
      case 'module':
        return output(String(second), rest, here)
      case 'data':
        return attribute('data', rest[0] === undefined ? [] : [second!, ...rest], here)
      default:
        return attribute('managed', steps, here)
    }
  }

  function variable(name: string, here: Here): unknown {
    const { module } = here
    if (module.parent === undefined) return plan.variables[name]
    const call = module.calls.at(-1)!
    const block = blockOf(sourceOf(module.parent), 'module', call.name)
    const there: Here = { module: module.parent, key: call.key, block, depth: here.depth }
    const source = block?.attributes.get(name)
    const found = source && evaluated(source, there)
    if (found !== undefined) return found
    const configured = tableAt(module.parent.configuration, 'module_calls', call.name, 'expressions')[name]
    return configuredValue(configured, there) ?? tableAt(module.configuration, 'variables', name).default
  }

  /** Returns the value of an expression of the plan's configuration that refers to one thing only. */
  function configuredValue(expression: unknown, here: Here): unknown {
    if (!isObject(expression)) return undefined
    if ('constant_value' in expression) return expression.constant_value
    const refers = referencesOf(expression)
    const [only, ...more] = refers.filter(each => !refers.some(one => one !== each && one.startsWith(each)))
    return only === undefined || more.length > 0 ? undefined : referred(stepsOf(only) ?? [], here)
  }

  function eachValue({ key, block, ...here }: Here): unknown {
    const all = block?.attributes.get('for_each')
    const found = all && evaluated(all, { ...here, key: undefined, block: undefined })
    if (Array.isArray(found)) return key
    return isObject(found) && key !== undefined ? found[String(key)] : undefined
  }

  function output(name: string, rest: readonly Step[], { module, key, depth }: Here): unknown {
    const all = module.children.filter(child => child.calls.at(-1)!.name === name)
    const isKeyed = all.some(child => child.calls.at(-1)!.key !== undefined)
    const wanted = isKeyed && all.some(child => child.calls.at(-1)!.key === rest[0]) ? rest[0] : key
    const child = all.length === 1 ? all[0] : all.find(each => each.calls.at(-1)!.key === wanted)
    if (child === undefined) return undefined
    const [outputName, ...more] = isKeyed && rest[0] === child.calls.at(-1)!.key ? rest.slice(1) : rest
    const there: Here = { module: child, key: undefined, block: undefined, depth }
    const source = blockOf(sourceOf(child), 'output', String(outputName))?.attributes.get('value')
    const found =
      (source && evaluated(source, there)) ??
      configuredValue(tableAt(child.configuration, 'outputs', String(outputName)).expression, there)
    return within(found, more)
  }

  /** Returns an attribute of a resource of the same module. */
  function attribute(mode: string, path: readonly Step[], { module, key }: Here): unknown {
    const [type, name, ...rest] = path
    const all = module.resources.filter(
      each => each.mode === mode && each.type === type && each.name === name,
    )
    const isKeyed = all.some(each => each.key !== undefined)
    const found =
      all.find(each => isKeyed && each.key === rest[0]) ??
      (all.length === 1 ? all[0] : all.find(each => each.key === key))
    if (found === undefined) return all.length > 0 ? undefined : onlyInTheCloud(path.join('.'))
    const [attributeName, ...more] = isKeyed && rest[0] === found.key ? rest.slice(1) : rest
    if (attributeName === undefined) return undefined
    const computed = computedOf(found, String(attributeName))
    if (computed !== undefined) return computed
    const value = found.values[attributeName]
    if (value !== undefined && value !== null) return within(local(value), more)
    return onlyInTheCloud(`${found.address}.${attributeName}`)
  }

  return {
    attributesOf,
    /** Returns the outputs of the plan, as a template has them. */
    outputs(): Table {
      const root: Here = { module: plan.root, key: undefined, block: undefined, depth: 0 }
      const source: Source = sourceOf(plan.root)
      const declared = tableAt(plan.root.configuration, 'outputs')
      return Object.fromEntries(
        Object.entries(declared).flatMap(([name, each]) => {
          const { sensitive } = isObject(each) ? each : ({} as Table)
          if (sensitive === true) return []
          const own = blockOf(source, 'output', name)?.attributes.get('value')
          const Value = name in plan.outputs ? local(plan.outputs[name]) : own && evaluated(own, root)
          return Value === undefined ? [] : [[name, { Value }] as const]
        }),
      )
    },
  }
}

/**
 * Returns the indexes of the expressions of blocks by the indexes of the blocks, or undefined when there are more or fewer, as
 * for dynamic blocks. A plan has the blocks of a set in another order than the files.
 */
function orderOf(
  values: readonly unknown[],
  expressions: readonly unknown[],
  length: number,
): readonly (number | undefined)[] | undefined {
  if (expressions.length !== length) return undefined
  const left = new Set(expressions.keys())
  return Array.from({ length }, (_, at) => {
    const value = values[at]
    const found = [...left].find(index => isMadeBy(value, expressions[index]))
    if (found !== undefined) left.delete(found)
    return found
  })
}

/** Returns whether a block may come from an expression: whether it has the values that the expression says. */
function isMadeBy(value: unknown, expression: unknown): boolean {
  if (!isObject(value) || !isObject(expression)) return true
  return Object.entries(expression).every(([name, each]) => {
    if (Array.isArray(each)) {
      const inner = value[name]
      return !Array.isArray(inner) || orderOf(inner, each, inner.length)?.includes(undefined) !== true
    }
    if (!isObject(each) || !('constant_value' in each) || !Object.hasOwn(value, name)) return true
    return JSON.stringify(each.constant_value) === JSON.stringify(value[name])
  })
}

/** Returns what a function of Terraform makes of values, or undefined for one that is not known here. */
function called(name: string, given: readonly unknown[]): unknown {
  const [only] = given
  switch (name) {
    case 'jsonencode':
      return { 'Fn::ToJsonString': only }
    case 'tostring':
    case 'tolist':
    case 'toset':
    case 'tomap':
      return only
    case 'concat':
      return given.every(Array.isArray) ? given.flat() : undefined
    case 'merge':
      return given.every(isPlain) ? Object.assign({}, ...given) : undefined
    default:
      return undefined
  }
}

/** Returns whether a value is an object, and not a call in a template. */
function isPlain(value: unknown): value is Table {
  return isObject(value) && !Object.keys(value).some(name => name === 'Ref' || name.startsWith('Fn::'))
}

function isBodies(source: Expression | Body | readonly Body[]): source is readonly Body[] {
  return Array.isArray(source)
}

/** Returns the item of a list, or the block at an index. One dynamic block has no source. */
function itemOf(
  source: Expression | readonly Body[] | undefined,
  at: number,
): Expression | readonly Body[] | undefined {
  if (source === undefined) return undefined
  if (isBodies(source)) return source[at] === undefined ? undefined : [source[at]]
  // In JSON, a block that is there once need not be in a list.
  return source.kind === 'list' ? source.items[at] : at === 0 && source.kind === 'object' ? source : undefined
}

function fieldOf(source: Expression | readonly Body[] | undefined, name: string) {
  if (source === undefined) return undefined
  if (isBodies(source)) return source[0] && partOf(source[0], name)
  return source.kind === 'object' ? source.entries.find(([each]) => each === name)?.[1] : undefined
}

function tableAt(table: Table, ...names: readonly string[]): Table {
  let found: unknown = table
  for (const name of names) found = isObject(found) ? found[name] : undefined
  return isObject(found) ? found : {}
}

/** Returns the value at some steps of another value. */
function within(value: unknown, steps: readonly Step[]): unknown {
  let found = value
  for (const step of steps) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined
    found = (found as Table)[step]
  }
  return found
}

/** Returns the ARNs, addresses and ids that the cloud has given to resources, the longest first, with what they are here. */
function cloudValuesOf({ resources }: Plan): readonly (readonly [text: string, call: unknown])[] {
  return resources
    .filter(({ mode }) => mode === 'managed')
    .flatMap(resource =>
      Object.entries(resource.values).flatMap(([name, value]) => {
        const call =
          typeof value === 'string' && value.length >= leastCloudValue
            ? computedOf(resource, name)
            : undefined
        return call === undefined ? [] : [[value as string, call] as const]
      }),
    )
    .sort(([one], [another]) => another.length - one.length)
}
