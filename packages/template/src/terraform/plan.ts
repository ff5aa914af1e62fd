import { isObject, kindOf } from '@signalbox/codec'
import { wrongAt } from '../document/template-error.ts'
import type { Step } from './hcl.ts'

type Table = { readonly [name: string]: unknown }

/** An instance of a module of a plan: the root module, or one that a module calls. */
export interface Module {
  /** The steps to it from the root, such as `queues` and `a` for `module.queues["a"]`. */
  readonly calls: readonly { readonly name: string; readonly key: Step | undefined }[]
  readonly parent: Module | undefined
  /** What the plan's configuration says about the module. */
  readonly configuration: Table
  readonly children: Module[]
  readonly resources: PlannedResource[]
}

/** A resource as it is after the plan is applied. */
export interface PlannedResource {
  readonly address: string
  readonly module: Module
  readonly mode: string
  readonly type: string
  readonly name: string
  /** The key of `for_each`, or the index of `count`. */
  readonly key: Step | undefined
  /** The attributes that are known before the plan is applied. */
  readonly values: Table
  /** What is not known yet: `true` in place of a value. */
  readonly unknown: Table
  /** The expressions of the attributes that the program sets. */
  readonly expressions: Table
}

/** A plan as `terraform show -json` prints it. */
export interface Plan {
  readonly root: Module
  readonly resources: readonly PlannedResource[]
  readonly variables: Table
  /** The values of the outputs that are known. */
  readonly outputs: Table
  /** Texts that must not be shown. */
  readonly secrets: readonly string[]
}

/** The greatest number of resources of a plan. */
const mostResources = 10_000

const tableOf = (value: unknown): Table => (isObject(value) ? value : {})
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Returns whether a document is a plan of Terraform or OpenTofu. */
export function isPlan(document: unknown): document is Table {
  return isObject(document) && isObject(document.planned_values) && 'format_version' in document
}

/**
 * Reads a plan.
 * @throws TemplateError for one that has errors or too many resources
 */
export function planOf(document: Table): Plan {
  if (document.errored === true)
    throw wrongAt([], 'a plan without errors', 'one that Terraform could not make')
  const planned = tableOf(document.planned_values)
  const changes = new Map(
    listOf(document.resource_changes).map(each => [
      String(tableOf(each).address),
      tableOf(tableOf(each).change),
    ]),
  )
  const configuration = tableOf(tableOf(document.configuration).root_module)
  const root: Module = { calls: [], parent: undefined, configuration, children: [], resources: [] }
  const resources: PlannedResource[] = []
  const secrets: string[] = []

  const read = (part: Table, isPrior: boolean): void => {
    const module = moduleAt(root, String(part.address ?? ''))
    for (const each of listOf(part.resources)) {
      const { address, mode, type, name, index, values, sensitive_values } = tableOf(each)
      if (typeof address !== 'string' || typeof type !== 'string')
        throw wrongAt(['planned_values'], 'resources with addresses', kindOf(address))
      if (isPrior && (mode !== 'data' || resources.some(known => known.address === address))) continue
      const own = listOf(module.configuration.resources)
        .map(tableOf)
        .find(known => known.type === type && known.name === name)
      const resource: PlannedResource = {
        address,
        module,
        mode: String(mode),
        type,
        name: String(name),
        key: typeof index === 'string' || typeof index === 'number' ? index : undefined,
        values: tableOf(values),
        unknown: isPrior ? {} : tableOf(changes.get(address)?.after_unknown),
        expressions: tableOf(own?.expressions),
      }
      module.resources.push(resource)
      resources.push(resource)
      secrets.push(...textsAt(values, sensitive_values))
      if (resources.length > mostResources) throw wrongAt([], `at most ${mostResources} resources`, 'more')
    }
    for (const child of listOf(part.child_modules)) read(tableOf(child), isPrior)
  }
  read(tableOf(planned.root_module), false)
  read(tableOf(tableOf(tableOf(document.prior_state).values).root_module), true)

  const variables = Object.fromEntries(
    Object.entries(tableOf(document.variables)).map(([name, each]) => [name, tableOf(each).value]),
  )
  for (const [name, declared] of Object.entries(tableOf(configuration.variables)))
    if (tableOf(declared).sensitive === true) secrets.push(...textsAt(variables[name], true))
  const outputs: { [name: string]: unknown } = {}
  for (const [name, output] of Object.entries(tableOf(planned.outputs))) {
    const { value, sensitive } = tableOf(output)
    if (sensitive === true) secrets.push(...textsAt(value, true))
    else if (value !== undefined) outputs[name] = value
  }
  return { root, resources, variables, outputs, secrets }
}

/** Returns the texts that are marked as sensitive. */
function textsAt(value: unknown, marks: unknown): readonly string[] {
  if (marks === true) {
    if (typeof value === 'string') return [value]
    return typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(each => textsAt(each, true))
      : []
  }
  if (typeof marks !== 'object' || marks === null || typeof value !== 'object' || value === null) return []
  return Object.entries(marks).flatMap(([name, inner]) => textsAt((value as Table)[name], inner))
}

/** Returns the instance of a module at an address such as `module.queues["a"].module.dead[0]`, which may be new. */
function moduleAt(root: Module, address: string): Module {
  let found = root
  for (const [, name, key] of address.matchAll(/module\.([\w-]+)(?:\[("(?:[^"\\]|\\.)*"|\d+)\])?(?:\.|$)/g)) {
    const parent = found
    const own = key === undefined ? undefined : (JSON.parse(key) as Step)
    const known = parent.children.find(
      child => child.calls.at(-1)!.name === name && child.calls.at(-1)!.key === own,
    )
    if (known !== undefined) {
      found = known
      continue
    }
    const call = tableOf(tableOf(parent.configuration.module_calls)[name!])
    found = {
      calls: [...parent.calls, { name: name!, key: own }],
      parent,
      configuration: tableOf(call.module),
      children: [],
      resources: [],
    }
    parent.children.push(found)
  }
  return found
}
