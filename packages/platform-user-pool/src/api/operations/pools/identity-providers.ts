import { isIP } from 'node:net'
import { isOwnAddress, isPublicAddress } from '@signalbox/platform-runtime/config'
import * as t from 'io-ts'
import { isProviderIssuer } from '../../../config/redirect-address.ts'
import type { Engine } from '../../../engine.ts'
import { UserPoolError } from '../../../user-pool-error.ts'
import { invalidParameter } from '../../../users/attributes.ts'
import { fields, wholeNumber } from '../../wire/inputs.ts'
import { page } from '../../wire/page.ts'
import { seconds } from '../../wire/wire-user.ts'
import { admin, type Operations } from '../operation.ts'
import { addPart, missing, partsOf, removePart, type ShownPart, shownPart, updatePart } from './pool-parts.ts'

const pool = { UserPoolId: t.string }
const listed = { MaxResults: wholeNumber(0, 60), NextToken: t.string }
const texts = t.record(t.string, t.string)
const provider = { ...pool, ProviderName: t.string }
const providerMore = { AttributeMapping: texts, IdpIdentifiers: t.array(t.string) }

/** Operations on identity providers. They change only those of pools created through the API. */
export const identityProviderOperations: Operations = {
  CreateIdentityProvider: admin(
    fields({ ...provider, ProviderType: t.string, ProviderDetails: texts }, providerMore),
    async (engine, { UserPoolId, ProviderName, ...requested }) => {
      refuseBadName(ProviderName)
      refuseBadIssuer(engine, requested.ProviderDetails)
      const part = await addPart(
        engine,
        UserPoolId,
        'identityProviders',
        ProviderName,
        requested,
        () =>
          new UserPoolError(
            'DuplicateProviderException',
            `A provider with the name ${ProviderName} already exists.`,
          ),
      )
      return { IdentityProvider: wireProvider(UserPoolId, part) }
    },
  ),

  DescribeIdentityProvider: admin(fields(provider, {}), async (engine, { UserPoolId, ProviderName }) => ({
    IdentityProvider: wireProvider(
      UserPoolId,
      shownPart(engine, UserPoolId, 'identityProviders', ProviderName),
    ),
  })),

  GetIdentityProviderByIdentifier: admin(
    fields({ ...pool, IdpIdentifier: t.string }, {}),
    async (engine, { UserPoolId, IdpIdentifier }) => {
      const all = partsOf(engine, UserPoolId, 'identityProviders')
      const found = all.find(
        ({ requested }) =>
          Array.isArray(requested.IdpIdentifiers) && requested.IdpIdentifiers.includes(IdpIdentifier),
      )
      if (found === undefined) throw missing('identityProviders', IdpIdentifier)
      return { IdentityProvider: wireProvider(UserPoolId, found) }
    },
  ),

  UpdateIdentityProvider: admin(
    fields(provider, { ...providerMore, ProviderDetails: texts }),
    async (engine, { UserPoolId, ProviderName, ...requested }) => {
      refuseBadIssuer(engine, requested.ProviderDetails ?? {})
      const part = await updatePart(engine, UserPoolId, 'identityProviders', ProviderName, requested)
      return { IdentityProvider: wireProvider(UserPoolId, part) }
    },
  ),

  DeleteIdentityProvider: admin(fields(provider, {}), async (engine, { UserPoolId, ProviderName }) => {
    await removePart(engine, UserPoolId, 'identityProviders', ProviderName)
    return {}
  }),

  ListIdentityProviders: admin(
    fields(pool, listed),
    async (engine, { UserPoolId, MaxResults, NextToken }) => {
      const all = partsOf(engine, UserPoolId, 'identityProviders')
      const { items, next } = page(all, { Limit: MaxResults, NextToken }, ({ name }) => name)
      const Providers = items.map(part => ({
        ProviderName: part.name,
        ProviderType: part.requested.ProviderType,
        ...timesOf(part),
      }))
      return { Providers, ...next }
    },
  ),
}

/**
 * Refuses a name that would be mistaken for another one. The names of accounts of providers have a `_` after the name
 * of the provider, and `COGNITO` is the pool itself.
 */
function refuseBadName(name: string): void {
  if (!/^[\p{L}\p{M}\p{S}\p{N}\p{P}]{3,32}$/u.test(name) || name.includes('_') || /^cognito$/i.test(name))
    throw invalidParameter(
      'ProviderName must have 3 to 32 letters, digits, symbols and punctuation marks without _, and must not be COGNITO.',
    )
}

/** Refuses an issuer that is plainly not public. Names are resolved when the platform connects. */
function refuseBadIssuer(engine: Engine, { oidc_issuer: issuer }: { readonly [name: string]: string }): void {
  if (issuer === undefined) return
  if (!isProviderIssuer(issuer))
    throw invalidParameter('oidc_issuer must be an https URL, or one of http on this machine.')
  const url = new URL(issuer)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const isPlainlyPrivate = isOwnAddress(host) || (isIP(host) !== 0 && !isPublicAddress(host))
  if (isPlainlyPrivate && !engine.providers.mayBePrivate(url))
    throw invalidParameter(
      `oidc_issuer must be at a public host. The configuration allows others: userPoolListener.privateProviderHosts, such as ['${url.host}'].`,
    )
}

function wireProvider(UserPoolId: string, part: ShownPart) {
  return { UserPoolId, ProviderName: part.name, ...part.requested, ...timesOf(part) }
}

function timesOf({ created, modified }: ShownPart) {
  return {
    ...(created !== undefined && { CreationDate: seconds(created) }),
    ...(modified !== undefined && { LastModifiedDate: seconds(modified) }),
  }
}
