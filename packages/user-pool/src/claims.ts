import { pointerTo } from '@signalbox/codec'
import {
  InvalidOptionError,
  InvalidResponseError,
  refusalAsAnswer,
  refuseUnknownOptions,
} from '@signalbox/core'
import {
  type ClaimValue,
  groupClaims,
  reservedClaims,
  type TriggerResponse,
  takesScopes,
} from './contract/index.ts'
import { kindOf } from './contract/kind-of.ts'
import { claimsCount } from './forgotten-claims.ts'

/** As much of a token-generation event as decides what its answer looks like. */
interface TokenEvent {
  readonly version: string
  readonly request: { readonly scopes?: unknown }
}

/** What a token shall say, put together call by call. Every call gives a new one, so one can be built upon another. */
export interface Claims {
  /** Adds a claim or overrides it. Version 1 events take text alone. */
  set(name: string, value: ClaimValue): Claims
  /** Leaves claims out. */
  suppress(...names: readonly string[]): Claims
  /** Puts these groups, and the roles that come with them, in place of the user's own. */
  groups(
    names: readonly string[],
    roles?: { readonly roles?: readonly string[]; readonly preferredRole?: string },
  ): Claims
  /** Adds scopes to the access token, or leaves some out. Version 1 events have none. */
  scopes(scopes: { readonly add?: readonly string[]; readonly suppress?: readonly string[] }): Claims
  /**
   * The answer to this event: `claimsAndScopeOverrideDetails` for version 2 and 3, with the claims in both tokens,
   * and `claimsOverrideDetails` before.
   *
   * @throws InvalidResponseError when the event's version cannot carry what was asked for
   */
  for(event: TokenEvent): TriggerResponse<'TokenGeneration'>
  /** Fails, because only `for` knows what the answer to an event looks like. */
  toJSON(): never
  /** A type only, without a value: the compiler quotes it when a route returns the builder. */
  readonly claimsOverrideDetails?: 'end the calls with .for(event), and return what it returns'
}

/**
 * Builds the answer of a TokenGeneration route (contract A, pre token generation).
 *
 * @throws InvalidOptionError from `set` and `suppress`, for a claim that nobody may touch and for one both set and
 * suppressed; from `set`, for a group claim, which belongs into `groups`; from all, for what is no text or no list
 */
export function claims(): Claims {
  claimsCount.value++
  return claimsOf({ set: {}, suppress: [] })
}

interface Wanted {
  readonly set: Readonly<Record<string, ClaimValue>>
  readonly suppress: readonly string[]
  /** New ones for every answer: answers become part of events, which middlewares may change. */
  readonly groups?: () => {
    readonly groupsToOverride: readonly string[]
    readonly accessRolesToOverride?: readonly string[]
    readonly preferredRole?: string
  }
  readonly scopes?: { readonly add?: readonly string[]; readonly suppress?: readonly string[] }
}

const toJSON = /* @__PURE__ */ refusalAsAnswer('a builder of claims', 'what its for(event) returns')

function claimsOf(wanted: Wanted): Claims {
  return {
    set(name, value) {
      refuseNonTexts('set(name, …)', [name])
      refuseReserved(name)
      if ((groupClaims as readonly string[]).includes(name)) {
        throw new InvalidOptionError(`The claim ${name} is about groups: use groups(…).`)
      }
      if (wanted.suppress.includes(name)) throw both(name)
      return claimsOf({ ...wanted, set: { ...wanted.set, [name]: value } })
    },
    suppress(...names) {
      refuseNonTexts('suppress(…)', names)
      for (const name of names) {
        refuseReserved(name)
        if (Object.hasOwn(wanted.set, name)) throw both(name)
      }
      return claimsOf({ ...wanted, suppress: [...new Set([...wanted.suppress, ...names])] })
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
      return claimsOf({ ...wanted, groups })
    },
    scopes(scopes) {
      refuseUnknownOptions('scopes()', scopes, ['add', 'suppress'])
      const { add = [], suppress = [] } = scopes
      refuseNonList('scopes({ add })', add)
      refuseNonList('scopes({ suppress })', suppress)
      return claimsOf({
        ...wanted,
        scopes: {
          add: [...(wanted.scopes?.add ?? []), ...add],
          suppress: [...(wanted.scopes?.suppress ?? []), ...suppress],
        },
      })
    },
    for(event) {
      return takesScopes(event) ? answerOfBothTokens(wanted) : answerOfIdentityToken(wanted)
    },
    toJSON,
  }
}

function answerOfIdentityToken({
  set,
  suppress,
  groups,
  scopes,
}: Wanted): TriggerResponse<'TokenGeneration'> {
  if (scopes !== undefined) throw tooOld('/response/claimsAndScopeOverrideDetails', 'scopes')
  for (const [name, value] of Object.entries(set)) {
    if (typeof value !== 'string') {
      throw tooOld(`/response/claimsOverrideDetails/claimsToAddOrOverride${pointerTo(name)}`, kindOf(value))
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

function answerOfBothTokens({ set, suppress, groups, scopes }: Wanted): TriggerResponse<'TokenGeneration'> {
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

// A text would be taken apart into its letters.
function refuseNonList(where: string, given: unknown): void {
  if (!Array.isArray(given)) throw new InvalidOptionError(`claims(): ${where} takes a list of texts.`)
  refuseNonTexts(where, given)
}

function refuseNonTexts(where: string, given: readonly unknown[]): void {
  for (const each of given) {
    if (typeof each === 'string') continue
    throw new InvalidOptionError(`claims(): ${where} takes texts, not ${kindOf(each)}.`)
  }
}

function refuseReserved(name: string): void {
  if (!(reservedClaims as readonly string[]).includes(name)) return
  throw new InvalidOptionError(
    `The claim ${name} is reserved: no trigger may set or suppress ${reservedClaims.join(', ')}.`,
  )
}

function both(name: string): InvalidOptionError {
  return new InvalidOptionError(`The claim ${JSON.stringify(name)} is both set and suppressed.`)
}

function tooOld(pointer: string, actual: string): InvalidResponseError {
  return new InvalidResponseError('claims()', [
    { pointer, expected: 'what an event before version 2 can carry: texts', actual },
  ])
}
