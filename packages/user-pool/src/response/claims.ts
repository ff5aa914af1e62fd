import { kindOf, pointerTo } from '@signalbox/codec'
import {
  InvalidOptionError,
  InvalidResponseError,
  refusalAsAnswer,
  refuseUnknownOptions,
} from '@signalbox/core'
import { expectedInsteadOfClaim, groupClaimNames } from '../contract/fields/claim.ts'
import { type ClaimValue, reservedClaims, type TriggerResponse, takesScopes } from '../contract/index.ts'
import { answeredEvents } from './answered-events.ts'
import { noteClaims } from './forgotten-claims.ts'

/** The fields of a token-generation event that decide which fields its answer has. */
interface TokenEvent {
  readonly version: string
  readonly request: { readonly scopes?: unknown }
}

/** A builder for changes to a token. Each call returns a new builder and does not change the old one. */
export interface Claims {
  /** Adds or overrides a claim. With version 1 events, it is in the ID token only, and a string. */
  set(name: string, value: ClaimValue): Claims
  /** Removes claims. */
  suppress(...names: readonly string[]): Claims
  /** Replaces the groups of the user and their roles. */
  groups(
    names: readonly string[],
    roles?: { readonly roles?: readonly string[]; readonly preferredRole?: string },
  ): Claims
  /** Adds or removes scopes of the access token. Version 1 events have no scopes. */
  scopes(scopes: { readonly add?: readonly string[]; readonly suppress?: readonly string[] }): Claims
  /**
   * Returns the answer to this event: `claimsAndScopeOverrideDetails` with the claims in both tokens for versions 2 and
   * 3, and `claimsOverrideDetails` for version 1.
   *
   * @throws InvalidResponseError when the version of the event does not support the changes
   */
  for(event: TokenEvent): TriggerResponse<'TokenGeneration'>
  /** Throws, because a route must return the result of `for` instead of the builder. */
  toJSON(): never
  /** This property exists only as a type, which the compiler shows when a route returns the builder. */
  readonly claimsOverrideDetails?: 'end the calls with .for(event), and return what it returns'
}

/**
 * Builds the answer of a TokenGeneration route (docs/contract/user-pool.md#pre-token-generation).
 *
 * @example
 * TokenGeneration: event => claims().set('tenant', 't1').suppress('email').for(event)
 * @throws InvalidOptionError from `set` and `suppress` for a reserved claim or for a claim that is both set
 * and suppressed, from `set` for a group claim (use `groups`), and from every method for an argument of the
 * wrong type
 */
export function claims(): Claims {
  noteClaims()
  return claimsOf({ set: {}, suppress: [] })
}

interface ClaimChanges {
  readonly set: Readonly<Record<string, ClaimValue>>
  readonly suppress: readonly string[]
  /** Makes new objects for each answer, because middlewares may change answers. */
  readonly groups?: () => {
    readonly groupsToOverride: readonly string[]
    readonly accessRolesToOverride?: readonly string[]
    readonly preferredRole?: string
  }
  readonly scopes?: { readonly add?: readonly string[]; readonly suppress?: readonly string[] }
}

const toJSON = /* @__PURE__ */ refusalAsAnswer('a builder of claims', 'what its for(event) returns')

function claimsOf(changes: ClaimChanges): Claims {
  return {
    set(name, value) {
      refuseNonTexts('set(name, …)', [name])
      if (groupClaimNames.includes(name)) {
        throw new InvalidOptionError(`The claim ${name} is about groups: use groups(…).`)
      }
      refuseReserved(name, 'set')
      if (changes.suppress.includes(name)) throw conflict(name)
      return claimsOf({ ...changes, set: { ...changes.set, [name]: value } })
    },
    suppress(...names) {
      refuseNonTexts('suppress(…)', names)
      for (const name of names) {
        refuseReserved(name, 'suppress')
        if (Object.hasOwn(changes.set, name)) throw conflict(name)
      }
      return claimsOf({ ...changes, suppress: [...new Set([...changes.suppress, ...names])] })
    },
    groups(names, options = {}) {
      refuseUnknownOptions('groups()', options, ['roles', 'preferredRole'])
      const { roles, preferredRole } = options
      refuseNonList('groups(…)', names)
      if (roles !== undefined) refuseNonList('groups(…, { roles })', roles)
      const own = [...names]
      const ownRoles = roles && [...roles]
      const groups = () => ({
        groupsToOverride: [...own],
        ...(ownRoles && { accessRolesToOverride: [...ownRoles] }),
        ...(preferredRole !== undefined && { preferredRole }),
      })
      return claimsOf({ ...changes, groups })
    },
    scopes(scopes) {
      refuseUnknownOptions('scopes()', scopes, ['add', 'suppress'])
      const { add = [], suppress = [] } = scopes
      refuseNonList('scopes({ add })', add)
      refuseNonList('scopes({ suppress })', suppress)
      return claimsOf({
        ...changes,
        scopes: {
          add: [...(changes.scopes?.add ?? []), ...add],
          suppress: [...(changes.scopes?.suppress ?? []), ...suppress],
        },
      })
    },
    for(event) {
      if (typeof event !== 'object' || event === null)
        throw new InvalidOptionError('claims(): for(event) takes the event of the route.')
      answeredEvents.add(event)
      return takesScopes(event) ? answerOfBothTokens(changes) : answerOfIdentityToken(changes)
    },
    toJSON,
  }
}

function answerOfIdentityToken({
  set,
  suppress,
  groups,
  scopes,
}: ClaimChanges): TriggerResponse<'TokenGeneration'> {
  if (scopes !== undefined) throw unsupportedBefore2('/response/claimsAndScopeOverrideDetails', 'scopes')
  for (const [name, value] of Object.entries(set)) {
    if (typeof value !== 'string') {
      throw unsupportedBefore2(
        `/response/claimsOverrideDetails/claimsToAddOrOverride${pointerTo(name)}`,
        kindOf(value),
      )
    }
  }
  return {
    claimsOverrideDetails: {
      claimsToAddOrOverride: { ...set } as Readonly<Record<string, string>>,
      claimsToSuppress: [...suppress],
      ...(groups && { groupOverrideDetails: groups() }),
    },
  }
}

function answerOfBothTokens({
  set,
  suppress,
  groups,
  scopes,
}: ClaimChanges): TriggerResponse<'TokenGeneration'> {
  return {
    claimsAndScopeOverrideDetails: {
      idTokenGeneration: { claimsToAddOrOverride: { ...set }, claimsToSuppress: [...suppress] },
      accessTokenGeneration: {
        claimsToAddOrOverride: { ...set },
        claimsToSuppress: [...suppress],
        ...(scopes?.add?.length && { scopesToAdd: [...scopes.add] }),
        ...(scopes?.suppress?.length && { scopesToSuppress: [...scopes.suppress] }),
      },
      ...(groups && { groupOverrideDetails: groups() }),
    },
  }
}

// A string must be refused, because it would be split into its characters.
function refuseNonList(where: string, value: unknown): void {
  if (!Array.isArray(value)) throw new InvalidOptionError(`claims(): ${where} takes a list of strings.`)
  refuseNonTexts(where, value)
}

function refuseNonTexts(where: string, values: readonly unknown[]): void {
  for (const each of values) {
    if (typeof each === 'string') continue
    throw new InvalidOptionError(`claims(): ${where} takes strings, not ${kindOf(each)}.`)
  }
}

function refuseReserved(name: string, change: 'set' | 'suppress'): void {
  if (name === 'scope') throw new InvalidOptionError('The claim scope has the scopes: use scopes(…).')
  if (expectedInsteadOfClaim(name, change) === undefined) return
  const reason = name.startsWith('dev:')
    ? 'may be suppressed, but no trigger may set it.'
    : `is reserved. No trigger may set or suppress ${reservedClaims.join(', ')}, or other claims that begin with pool: or cognito:.`
  throw new InvalidOptionError(`The claim ${name} ${reason}`)
}

function conflict(name: string): InvalidOptionError {
  return new InvalidOptionError(`The claim ${JSON.stringify(name)} is both set and suppressed.`)
}

function unsupportedBefore2(pointer: string, actual: string): InvalidResponseError {
  return new InvalidResponseError('claims()', [
    { pointer, expected: 'a string, which is all that events before version 2 support', actual },
  ])
}
