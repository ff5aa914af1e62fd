import { isObject, kindOf, type Problem } from '@signalbox/codec'
import { TemplateError, wrongAt } from '../document/template-error.ts'
import { conditionsOf } from '../intrinsics/conditions.ts'
import { NotHere } from '../intrinsics/not-here.ts'
import { parametersOf, type StackNames } from '../intrinsics/parameters.ts'
import type { ResourceValues, Scope } from '../intrinsics/scope.ts'
import type { Expanded } from './expand-sam.ts'
import { type Properties, propertiesOf } from './properties.ts'
import type { Warnings } from './warnings.ts'

/** A resource whose condition holds, or a rule of a load balancer whose condition only the cloud knows. */
export interface Resource {
  /** The logical id, or the address in a plan of Terraform. */
  readonly id: string
  /** The name of what a configuration makes of it. */
  readonly name: string
  readonly type: string
  readonly properties: Properties
  readonly metadata: { readonly [name: string]: unknown }
  /** Whether only the cloud knows the condition. */
  readonly isUncertain?: boolean
}

/**
 * The types of resources that stay when only the cloud knows their condition: without a rule, its requests would go on to the
 * next one, perhaps without the sign-in that the rule begins with.
 */
const kept = new Set(['AWS::ElasticLoadBalancingV2::ListenerRule'])

/** The resources of a template, and what its values depend on. */
export interface Stack {
  readonly scope: Scope
  readonly resources: readonly Resource[]
  /** The ids of resources whose condition is false, or known in the cloud alone. */
  readonly absent: readonly string[]
}

/** The number of characters that all texts of a template may have together. */
const mostCharacters = 10_000_000

/** The sections of a template on which values depend. */
export interface Sections {
  readonly Parameters?: unknown
  readonly Conditions?: unknown
  readonly Mappings?: unknown
}

/** Returns what other resources may refer to, or undefined when the platform has no such resource. */
export type ValuesOf = (resource: Resource) => ResourceValues | undefined

/**
 * Reads the sections of a template.
 * @param declared its resources, and the sections on which they depend
 * @param parameters the values of parameters by name
 * @throws TemplateError for what the template says wrongly
 */
export function stackOf(
  declared: Expanded & Sections,
  parameters: { readonly [name: string]: string },
  names: StackNames,
  valuesOf: ValuesOf,
  warnings: Warnings,
): Stack {
  const parameter = parametersOf(declared.Parameters, parameters, names)
  const values = new Map<string, ResourceValues | undefined | 'open'>()
  const resources = new Map<string, Resource>()
  /** Why resources do not exist here, by logical id. */
  const absent = new Map<string, string>()
  let characters = 0
  const scope: Scope = {
    parameter,
    mappings: declared.Mappings,
    condition: conditionsOf(declared.Conditions, () => scope),
    count(more) {
      characters += more
      if (characters > mostCharacters)
        throw wrongAt([], `at most ${mostCharacters} characters in all its texts`, 'more')
    },
    resource(id) {
      const found = resources.get(id)
      if (found === undefined) {
        const why = absent.get(id)
        if (why !== undefined) throw new NotHere(why)
        const alias = aliasOf(id)
        if (alias === undefined && declared.isImplied(id)) throw new NotHere(`${id} exists only in the cloud`)
        return alias
      }
      const known = values.get(id)
      if (known === 'open')
        throw wrongAt(['Resources', id], 'a name that does not depend on itself', 'a cycle')
      if (known !== undefined) return known
      values.set(id, 'open')
      let own: ResourceValues | undefined
      try {
        own = valuesOf(found)
      } finally {
        values.delete(id)
      }
      if (own === undefined) throw new NotHere(`${id} (${found.type}) does not exist here`)
      values.set(id, own)
      return own
    },
  }

  /** Returns the values of the alias and the version that SAM gives a function. */
  function aliasOf(id: string): ResourceValues | undefined {
    const [, name, kind] = /^(.+)\.(Alias|Version)$/.exec(id) ?? []
    if (name === undefined || !resources.has(name)) return undefined
    const { attributes } = scope.resource(name)!
    const arn = attributes.Arn
    return arn === undefined
      ? undefined
      : { ref: arn, attributes: kind === 'Version' ? { Version: '1' } : {} }
  }

  /** Returns whether the condition of a resource holds. One that only the cloud knows does not, but for resources that stay. */
  function whether(id: string, condition: string, type: string): boolean | 'uncertain' | undefined {
    try {
      const holds = scope.condition(condition)
      if (holds === false) absent.set(id, `the condition of ${id} is false`)
      return holds
    } catch (error) {
      if (!(error instanceof NotHere)) throw error
      if (kept.has(type)) return 'uncertain'
      absent.set(id, `only the cloud knows the condition of ${id}`)
      warnings.missing(`${id} does not run here, because of its condition ${condition}: ${error.message}.`)
      return false
    }
  }

  const problems: Problem[] = []
  for (const [id, { Type, Properties, Metadata, Condition }] of Object.entries(declared.resources)) {
    const place = ['Resources', id]
    if (typeof Type !== 'string') {
      problems.push(...wrongAt([...place, 'Type'], 'a type such as AWS::SQS::Queue', kindOf(Type)).problems)
      continue
    }
    const holds = Condition === undefined || whether(id, String(Condition), Type)
    if (holds === undefined)
      problems.push(
        ...wrongAt([...place, 'Condition'], 'the name of a condition', String(Condition)).problems,
      )
    else if (holds)
      resources.set(id, {
        id,
        name: declared.names?.get(id) ?? id,
        type: Type,
        properties: propertiesOf(
          Properties ?? undefined,
          scope,
          declared.places.get(id) ?? [...place, 'Properties'],
          warnings,
          id,
        ),
        metadata: isObject(Metadata) ? Metadata : {},
        isUncertain: holds === 'uncertain',
      })
  }
  if (problems.length > 0) throw new TemplateError(problems)
  return { scope, resources: [...resources.values()], absent: [...absent.keys()] }
}
