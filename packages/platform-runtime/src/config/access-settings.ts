import { isObject, kindOf, type Problem, pointerTo } from '@signalbox/codec'
import * as t from 'io-ts'
import type { AccessConfig } from '../access/access-config.ts'
import { type AccessSettings, operatorName } from '../access/identities.ts'
import type { ResourceRights } from '../access/rights.ts'
import { object, optional, textLike } from '../fields/field.ts'
import { insideProblems, keyProblems, type UncheckedObject } from '../fields/field-problems.ts'
import { readSecret, secretProblems } from '../fields/secret.ts'
import type { SourceConfig } from '../source/source-config.ts'
import { runtimeFields } from './runtime-config.ts'

/** The minimum length of a secret. A shorter one can be guessed from one captured request. */
const shortestSecret = 16

const patterns = t.readonlyArray(textLike('a name', /^[^\s\p{Cc}]{1,256}$/u), 'a list of names')

/** Returns the problems of the key `access`. */
export function accessProblems(
  access: unknown,
  rights: readonly ResourceRights[],
  config: UncheckedObject,
): readonly Problem[] {
  const expected = 'another name: this is the identity of the command line'
  const checks = {
    identities: (_: UncheckedObject, pointer: string) =>
      pointer === `/access/identities/${operatorName}` ? [{ pointer, expected, actual: operatorName }] : [],
    rights: (part: UncheckedObject, pointer: string) => rightProblems(part, pointer, rights, config),
  }
  return [
    ...insideProblems(runtimeFields, 'access', { access }, () => [], checks),
    ...(isObject(access) ? repeatedIds(access.identities) : []),
  ]
}

function rightProblems(
  rights: UncheckedObject,
  pointer: string,
  known: readonly ResourceRights[],
  config: UncheckedObject,
): readonly Problem[] {
  const collections = known.map(({ collection }) => [collection, optional(object)] as const)
  return [
    ...keyProblems(Object.fromEntries(collections), rights, pointer),
    ...known.flatMap(({ collection, names, resources }) => {
      const part = rights[collection]
      if (!isObject(part)) return []
      const at = `${pointer}/${collection}`
      const existing = resources?.(config)
      return [
        ...keyProblems(Object.fromEntries(names.map(name => [name, optional(patterns)])), part, at),
        ...(existing === undefined
          ? []
          : names.flatMap(name => missing(part[name], existing, `${at}/${name}`))),
      ]
    }),
  ]
}

/** Returns a problem for each name without `*` that no existing resource has. */
function missing(named: unknown, existing: readonly string[], pointer: string): readonly Problem[] {
  if (!Array.isArray(named)) return []
  return named.flatMap((name: unknown, at) =>
    typeof name !== 'string' || name.includes('*') || existing.includes(name)
      ? []
      : [
          {
            pointer: `${pointer}/${at}`,
            expected:
              existing.length === 0
                ? 'no name, since there is nothing here'
                : `one of ${existing.join(', ')}`,
            actual: JSON.stringify(name.slice(0, 80)),
          },
        ],
  )
}

function repeatedIds(identities: unknown): readonly Problem[] {
  if (!isObject(identities)) return []
  const seen = new Set<unknown>()
  return Object.entries(identities).flatMap(([name, identity]) => {
    if (!isObject(identity) || !Array.isArray(identity.keys)) return []
    return identity.keys.flatMap((key: unknown, at) => {
      if (!isObject(key) || typeof key.id !== 'string') return []
      if (!seen.has(key.id)) {
        seen.add(key.id)
        return []
      }
      const pointer = `${pointerTo('access', 'identities', name)}/keys/${at}/id`
      return [{ pointer, expected: 'an id that no other key has', actual: kindOf(key.id) }]
    })
  })
}

/**
 * Returns the problems of the files and variables that contain secrets. Called only for a configuration without other
 * problems.
 */
export function accessFileProblems(access: AccessConfig | undefined, root: string): readonly Problem[] {
  return Object.entries(access?.identities ?? {}).flatMap(([name, { keys = [] }]) =>
    keys.flatMap(({ secret }, at) => {
      const pointer = `${pointerTo('access', 'identities', name)}/keys/${at}/secret`
      const found = secretProblems(secret, pointer, root)
      if (found.length > 0 || readSecret(secret, root).length >= shortestSecret) return found
      return [
        { pointer, expected: `a secret of at least ${shortestSecret} characters`, actual: 'a shorter one' },
      ]
    }),
  )
}

/**
 * Reads the identities and the secrets of their keys.
 * @param access a valid configuration; undefined if the configuration has no key `access`
 */
export function accessSettings(access: AccessConfig | undefined, root: string): AccessSettings | undefined {
  if (access === undefined) return undefined
  return {
    identities: Object.entries(access.identities).map(([name, { keys = [], rights = {}, limits }]) => ({
      name,
      keys: keys.map(({ id, secret }) => ({ accessKeyId: id, secretAccessKey: readSecret(secret, root) })),
      rights,
      ...(limits && { limits }),
    })),
  }
}

/** The rights over functions. They are defined here because functions belong to no source. */
export const functionRights: ResourceRights = {
  collection: 'functions',
  names: ['invoke', 'read', 'stop', 'callback'],
  resources: ({ functions }) => (isObject(functions) ? Object.keys(functions) : []),
}

/** The rights over the console, which has no individual resources. */
const consoleRights: ResourceRights = { collection: 'console', names: ['read', 'act'], resources: () => [] }

/** The right to use the test interface, which has no individual resources. */
const testingRights: ResourceRights = { collection: 'testing', names: ['use'], resources: () => [] }

/** The right to read metrics, which have no individual resources. */
const metricsRights: ResourceRights = { collection: 'metrics', names: ['read'], resources: () => [] }

/**
 * Returns all rights that an identity can have: over functions, over the console, the test interface and metrics, and over the
 * resources of these sources.
 */
export function allRights(sources: readonly SourceConfig<unknown>[]): readonly ResourceRights[] {
  const own = [functionRights, consoleRights, testingRights, metricsRights]
  return [...own, ...sources.flatMap(({ rights }) => rights ?? [])]
}
