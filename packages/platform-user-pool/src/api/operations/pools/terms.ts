import { randomUuid } from '@signalbox/platform-runtime'
import { matching } from '@signalbox/platform-runtime/config'
import * as t from 'io-ts'
import { termsForm } from '../../../config/pages-config.ts'
import { isMapOf } from '../../../config/rules.ts'
import type { CreatedPool, PoolPart } from '../../../created-pools/created-pool.ts'
import type { Engine } from '../../../engine.ts'
import { UserPoolError } from '../../../user-pool-error.ts'
import { invalidParameter } from '../../../users/attributes.ts'
import { fields, wholeNumber } from '../../wire/inputs.ts'
import { page } from '../../wire/page.ts'
import { seconds } from '../../wire/wire-user.ts'
import { admin, type Operations } from '../operation.ts'
import { refuseConfigured } from './refuse-configured.ts'

const pool = { UserPoolId: t.string }
const one = { ...pool, TermsId: t.string }

const name = matching<string>(
  'a name that begins with terms-of-use or privacy-policy, of letters, digits and -',
  value => typeof value === 'string' && /^(?:terms-of-use|privacy-policy)[\w-]{0,100}$/.test(value),
)
const links = matching<{ readonly [language: string]: string }>(
  'https URLs by languages such as cognito:default and cognito:spanish',
  value =>
    isMapOf(
      value,
      (language, url) =>
        /^cognito:[a-z-]{1,40}$/.test(language) && typeof url === 'string' && termsForm.test(url),
    ) && Object.keys(value as object).length <= 50,
)
const kept = {
  TermsName: name,
  TermsSource: t.literal('LINK'),
  Enforcement: t.literal('NONE'),
}

/**
 * Operations on the terms of clients of pools created through the API. The page for signing up refers to the address for
 * English, or to the default one.
 */
export const termsOperations: Operations = {
  CreateTerms: admin(
    fields({ ...pool, ClientId: t.string, ...kept }, { Links: links }),
    async (engine, { UserPoolId, ...requested }) => {
      refuseConfigured(engine, UserPoolId)
      const { ClientId, TermsName, Links = {} } = requested
      refuseUnknownClient(engine, UserPoolId, ClientId)
      refuseWithoutDefault(Links)
      const now = engine.clock.now()
      const id = randomUuid(engine.random)
      const part: PoolPart = { name: id, created: now, modified: now, requested: { ...requested, Links } }
      await engine.createdPools.change(UserPoolId, createdPool => {
        const terms = livingTerms(createdPool)
        if (terms.some(each => isSameKind(each, ClientId, TermsName)))
          throw new UserPoolError('TermsExistsException', `The client has terms of this kind: ${TermsName}.`)
        return { ...createdPool, terms: [...terms, part] }
      })
      return { Terms: wireTerms(UserPoolId, part) }
    },
  ),

  UpdateTerms: admin(
    fields(one, { ...kept, Links: links }),
    async (engine, { UserPoolId, TermsId, ...requested }) => {
      refuseConfigured(engine, UserPoolId)
      if (requested.Links !== undefined) refuseWithoutDefault(requested.Links)
      const modified = engine.clock.now()
      // The terms are read in the change, so that a simultaneous one is not undone, and deleted ones do not come back.
      const createdPool = await engine.createdPools.change(UserPoolId, current => {
        const before = livingTerms(current).find(each => each.name === TermsId)
        if (before === undefined) throw missing(TermsId)
        const changed = { ...before, modified, requested: { ...before.requested, ...requested } }
        const others = livingTerms(current).filter(each => each !== before)
        const { ClientId } = before.requested
        if (others.some(each => isSameKind(each, ClientId, changed.requested.TermsName)))
          throw new UserPoolError('TermsExistsException', 'The client has terms of this kind.')
        return { ...current, terms: [...others, changed] }
      })
      const updated = livingTerms(createdPool).find(each => each.name === TermsId)
      if (updated === undefined) throw missing(TermsId)
      return { Terms: wireTerms(UserPoolId, updated) }
    },
  ),

  DeleteTerms: admin(fields(one, {}), async (engine, { UserPoolId, TermsId }) => {
    termsOf(engine, UserPoolId, TermsId)
    await engine.createdPools.change(UserPoolId, createdPool => ({
      ...createdPool,
      terms: livingTerms(createdPool).filter(each => each.name !== TermsId),
    }))
    return {}
  }),

  DescribeTerms: admin(fields(one, {}), async (engine, { UserPoolId, TermsId }) => ({
    Terms: wireTerms(UserPoolId, termsOf(engine, UserPoolId, TermsId)),
  })),

  DescribeTermsByClient: admin(
    fields({ ...pool, ClientId: t.string, TermsName: name }, {}),
    async (engine, { UserPoolId, ClientId, TermsName }) => {
      refuseUnknownClient(engine, UserPoolId, ClientId)
      const found = allTerms(engine, UserPoolId).find(each => isSameKind(each, ClientId, TermsName))
      if (found === undefined) throw missing(TermsName)
      return { Terms: wireTerms(UserPoolId, found) }
    },
  ),

  ListTerms: admin(
    fields(pool, { MaxResults: wholeNumber(0, 60), NextToken: t.string }),
    async (engine, { UserPoolId, MaxResults, NextToken }) => {
      engine.poolOf(UserPoolId)
      const all = allTerms(engine, UserPoolId).toSorted((a, b) => (a.name < b.name ? -1 : 1))
      const { items, next } = page(all, { Limit: MaxResults, NextToken }, each => each.name)
      const shown = items.map(each => {
        const { TermsId, TermsName, Enforcement, CreationDate, LastModifiedDate } = wireTerms(
          UserPoolId,
          each,
        )
        return { TermsId, TermsName, Enforcement, CreationDate, LastModifiedDate }
      })
      return { Terms: shown, ...next }
    },
  ),
}

function allTerms(engine: Engine, poolId: string): readonly PoolPart[] {
  const createdPool = engine.createdPools.get(poolId)
  return createdPool === undefined ? [] : livingTerms(createdPool)
}

/** Returns the terms of a pool without those of clients that were deleted. */
function livingTerms({ terms = [], clients }: CreatedPool): readonly PoolPart[] {
  return terms.filter(({ requested }) => clients.some(({ id }) => id === requested.ClientId))
}

function termsOf(engine: Engine, poolId: string, id: string): PoolPart {
  const found = livingTerms(refuseConfigured(engine, poolId)).find(each => each.name === id)
  if (found === undefined) throw missing(id)
  return found
}

/** Returns whether terms are of this client and kind: each client has one of each. */
function isSameKind({ requested }: PoolPart, client: unknown, termsName: unknown): boolean {
  return requested.ClientId === client && kindOf(requested.TermsName) === kindOf(termsName)
}

function kindOf(termsName: unknown): string {
  return String(termsName).startsWith('privacy-policy') ? 'privacy-policy' : 'terms-of-use'
}

function missing(what: string): UserPoolError {
  return new UserPoolError('ResourceNotFoundException', `Terms ${what} do not exist.`)
}

function refuseUnknownClient(engine: Engine, poolId: string, client: string): void {
  if (!engine.poolOf(poolId).clients.some(({ id }) => id === client))
    throw new UserPoolError('ResourceNotFoundException', `User pool client ${client} does not exist.`)
}

function refuseWithoutDefault(urls: { readonly [language: string]: string }): void {
  if (urls['cognito:default'] === undefined)
    throw invalidParameter(
      'Links needs an address for cognito:default, which counts for all other languages.',
    )
}

function wireTerms(UserPoolId: string, { name: TermsId, created, modified, requested }: PoolPart) {
  const { ClientId, TermsName, TermsSource, Enforcement, Links } = requested
  return {
    ...{ TermsId, UserPoolId, ClientId, TermsName, TermsSource, Enforcement, Links },
    CreationDate: seconds(created),
    LastModifiedDate: seconds(modified),
  }
}
