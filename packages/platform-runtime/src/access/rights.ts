import type { UncheckedObject } from '../fields/field-problems.ts'
import type { RightsConfig } from './access-config.ts'

/** The rights over one kind of resource. A source declares them alongside its operations. */
export interface ResourceRights {
  /** The configuration key of the resources, such as `queues`. */
  readonly collection: string
  /** The rights, such as `send`. */
  readonly names: readonly string[]
  /** Returns all resources of a configuration. Absent when clients can create further resources. */
  readonly resources?: (config: UncheckedObject) => readonly string[]
}

/**
 * A requirement of an operation. The client needs at least one of these rights over this resource. The resource `*`
 * stands for all resources. A request that refers to other resources, such as a dead-letter queue or a function,
 * demands rights over these, too.
 */
export interface Demand {
  /** The configuration key of the resource. Default: the key of the source's own resources. */
  readonly collection?: string
  readonly rights: readonly string[]
  readonly resource: string
}

/** Checks whether an identity has a right over a resource. */
export type MayDo = (collection: string, right: string, resource: string) => boolean

/** Compiles the rights of an identity. Only the pattern `*` matches the resource `*`. */
export function rightsCheck(rights: RightsConfig): MayDo {
  const compiled = new Map(
    Object.entries(rights).map(
      ([collection, byRight]) =>
        [
          collection,
          new Map(Object.entries(byRight).map(([right, names]) => [right, namesCheck(names)])),
        ] as const,
    ),
  )
  return (collection, right, resource) => compiled.get(collection)?.get(right)?.(resource) === true
}

/** Returns whether rights include a right over any resource of a collection. */
export function hasRight(rights: RightsConfig, collection: string, right: string): boolean {
  return Object.entries(rights).some(
    ([name, byRight]) =>
      name === collection &&
      Object.entries(byRight).some(([each, resources]) => each === right && resources.length > 0),
  )
}

function namesCheck(names: readonly string[]): (resource: string) => boolean {
  if (names.includes('*')) return () => true
  const exact = new Set(names.filter(name => !name.includes('*')))
  const patterns = names.filter(name => name.includes('*')).map(partsOf)
  return resource =>
    resource !== '*' && (exact.has(resource) || patterns.some(parts => matches(parts, resource)))
}

function partsOf(pattern: string): readonly string[] {
  return pattern.split('*')
}

/** Matches in linear time, unlike a regular expression with several stars. */
function matches(parts: readonly string[], text: string): boolean {
  const [first = ''] = parts
  const last = parts.at(-1)!
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return false
  const end = text.length - last.length
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at)
    if (found < 0 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}
