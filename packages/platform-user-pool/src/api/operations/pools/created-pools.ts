import * as t from 'io-ts'
import {
  attributeInput,
  type CreatedPool,
  changeable,
  mfaFields,
  type RequestedMfa,
  type RequestedPool,
  unchangeable,
} from '../../../created-pools/created-pool.ts'
import { enabledFactors } from '../../../created-pools/enabled-factors.ts'
import { updatedFields } from '../../../created-pools/omitted-fields.ts'
import { schemaWith, standardSchema } from '../../../created-pools/schema.ts'
import type { Engine } from '../../../engine.ts'
import { invalidParameter } from '../../../users/attributes.ts'
import { fields } from '../../wire/inputs.ts'
import { wireCreatedMfa, wireCreatedPool } from '../../wire/wire-created-pool.ts'
import { admin, type Operations } from '../operation.ts'
import { factorReferences, poolReferences, refuseBadSender } from './references.ts'
import { refuseConfigured } from './refuse-configured.ts'

const pool = { UserPoolId: t.string }

/** Operations that create, change and remove pools. */
export const createdPoolOperations: Operations = {
  CreateUserPool: admin(
    fields({ PoolName: t.string }, { ...changeable, ...unchangeable, Schema: t.array(attributeInput) }),
    async (engine, { PoolName, Schema = [], ...input }) => {
      refuseBadPool(PoolName, input)
      const now = engine.clock.now()
      const createdPool: CreatedPool = {
        id: engine.newPoolId(),
        name: PoolName,
        created: now,
        modified: now,
        requested: only(input, { ...changeable, ...unchangeable }),
        mfa: {},
        schema: schemaWith(standardSchema, Schema),
        clients: [],
        resourceServers: [],
        identityProviders: [],
      }
      refuseMissingFactor(createdPool)
      await engine.createdPools.add(createdPool)
      return { UserPool: wireCreatedPool(engine, createdPool) }
    },
    () => undefined,
    (engine, input) => poolReferences(engine, input, undefined),
  ),

  UpdateUserPool: admin(
    fields(pool, { ...changeable, PoolName: t.string }),
    async (engine, input) => {
      await change(engine, input.UserPoolId, createdPool => {
        const before = { PoolName: createdPool.name, ...createdPool.requested }
        const { PoolName, ...updated } = updatedFields('UpdateUserPool', before, input)
        refuseBadPool(PoolName, updated)
        const after = {
          ...createdPool,
          name: PoolName,
          requested: { ...only(createdPool.requested, unchangeable), ...updated },
        }
        refuseMissingFactor(after)
        return after
      })
      return {}
    },
    undefined,
    (engine, input) => poolReferences(engine, input, input.UserPoolId),
  ),

  DeleteUserPool: admin(fields(pool, {}), async (engine, { UserPoolId }) => {
    const createdPool = refuseConfigured(engine, UserPoolId)
    if (createdPool.requested.DeletionProtection === 'ACTIVE')
      throw invalidParameter(
        'The user pool cannot be deleted because deletion protection is activated. Deletion protection must be inactivated first.',
      )
    if (createdPool.domain !== undefined || createdPool.customDomain !== undefined)
      throw invalidParameter(
        'User pool cannot be deleted. It has a domain configured that should be deleted first.',
      )
    await engine.createdPools.remove(UserPoolId)
    return {}
  }),

  AddCustomAttributes: admin(
    fields({ ...pool, CustomAttributes: t.array(attributeInput) }, {}),
    async (engine, { UserPoolId, CustomAttributes }) => {
      await change(engine, UserPoolId, createdPool => ({
        ...createdPool,
        schema: schemaWith(createdPool.schema, CustomAttributes),
      }))
      return {}
    },
  ),

  SetUserPoolMfaConfig: admin(
    fields(pool, { ...mfaFields, MfaConfiguration: t.string }),
    async (engine, input) => {
      const createdPool = await change(engine, input.UserPoolId, before => {
        const was = { ...before.mfa, MfaConfiguration: before.requested.MfaConfiguration }
        const { MfaConfiguration = 'OFF', ...mfa } = updatedFields('SetUserPoolMfaConfig', was, input)
        refuseBadMfa(MfaConfiguration, mfa)
        return { ...before, mfa, requested: { ...before.requested, MfaConfiguration } }
      })
      return wireCreatedMfa(createdPool)
    },
    undefined,
    (engine, input) => factorReferences(engine, input, input.UserPoolId),
  ),

  TagResource: admin(
    fields({ ResourceArn: t.string, Tags: t.record(t.string, t.string) }, {}),
    async (engine, { ResourceArn, Tags }) => {
      await changeTags(engine, ResourceArn, tags => ({ ...tags, ...Tags }))
      return {}
    },
    poolOfArn,
  ),

  UntagResource: admin(
    fields({ ResourceArn: t.string, TagKeys: t.array(t.string) }, {}),
    async (engine, { ResourceArn, TagKeys }) => {
      await changeTags(engine, ResourceArn, tags =>
        Object.fromEntries(Object.entries(tags).filter(([name]) => !TagKeys.includes(name))),
      )
      return {}
    },
    poolOfArn,
  ),

  ListTagsForResource: admin(
    fields({ ResourceArn: t.string }, {}),
    async (engine, { ResourceArn }) => ({
      Tags: engine.createdPools.get(idOf(engine, ResourceArn))?.requested.UserPoolTags ?? {},
    }),
    poolOfArn,
  ),
}

function poolOfArn(_engine: Engine, { ResourceArn }: { readonly ResourceArn?: unknown }): string {
  const arn = String(ResourceArn ?? '')
  return arn.slice(arn.lastIndexOf('/') + 1)
}

function idOf(engine: Engine, ResourceArn: string): string {
  return engine.poolOf(poolOfArn(engine, { ResourceArn })).id
}

type Tags = { readonly [name: string]: string }

function changeTags(engine: Engine, arn: string, changed: (tags: Tags) => { [name: string]: string }) {
  return change(engine, idOf(engine, arn), createdPool => ({
    ...createdPool,
    requested: { ...createdPool.requested, UserPoolTags: changed(createdPool.requested.UserPoolTags ?? {}) },
  }))
}

function change(
  engine: Engine,
  id: string,
  changed: (pool: CreatedPool) => CreatedPool,
): Promise<CreatedPool> {
  refuseConfigured(engine, id)
  return engine.createdPools.change(id, createdPool => ({
    ...changed(createdPool),
    modified: engine.clock.now(),
  }))
}

/** Returns the known fields of an input. */
function only<F extends object>(input: { readonly [K in keyof F]?: unknown }, known: F) {
  return Object.fromEntries(Object.entries(input).filter(([name]) => Object.hasOwn(known, name)))
}

/** Registered clients are public ones. The service ignores `implicit`, too. */
const registeredGrants = ['code', 'implicit']

function refuseBadPool(name: string, requested: RequestedPool): void {
  if (!/^[\w\s+=,.@-]{1,128}$/.test(name))
    throw invalidParameter('PoolName must have 1 to 128 letters, digits, spaces and +=,.@-.')
  if (requested.UsernameAttributes?.length && requested.AliasAttributes?.length)
    throw invalidParameter('Only one of the aliasAttributes or usernameAttributes can be set in a user pool.')
  for (const [field, values, known] of [
    ['UsernameAttributes', requested.UsernameAttributes, ['email', 'phone_number']],
    ['AliasAttributes', requested.AliasAttributes, ['email', 'phone_number', 'preferred_username']],
    ['AutoVerifiedAttributes', requested.AutoVerifiedAttributes, ['email', 'phone_number']],
    ['AuthenticatedGrantTypes', requested.DcrConfiguration?.AuthenticatedGrantTypes, registeredGrants],
    ['OpenDcrGrantTypes', requested.DcrConfiguration?.OpenDcrGrantTypes, registeredGrants],
    ['MfaConfiguration', requested.MfaConfiguration && [requested.MfaConfiguration], mfaModes],
  ] as const)
    for (const value of values || [])
      if (!(known as readonly string[]).includes(value))
        throw invalidParameter(`${field} must be of ${known.join(', ')}.`)
  refuseBadTexts(requested)
  refuseBadSender(requested)
  const { MinimumLength: least = 8 } = requested.Policies?.PasswordPolicy ?? {}
  if (!Number.isInteger(least) || least < 6 || least > 99)
    throw invalidParameter('MinimumLength of the password policy must be a whole number from 6 to 99.')
}

const codeForm = /\{####\}/
const linkForm = /\{##[^#{}]+##\}/

/** Refuses a message text without a placeholder for the code or link. */
function refuseBadTexts(requested: RequestedPool): void {
  const { VerificationMessageTemplate: template = {}, AdminCreateUserConfig } = requested
  const { InviteMessageTemplate: invitation = {} } = AdminCreateUserConfig ?? {}
  for (const [field, text, needed] of [
    ['smsVerificationMessage', requested.SmsVerificationMessage, codeForm],
    ['emailVerificationMessage', requested.EmailVerificationMessage, codeForm],
    ['smsAuthenticationMessage', requested.SmsAuthenticationMessage, codeForm],
    ['verificationMessageTemplate.smsMessage', template.SmsMessage, codeForm],
    ['verificationMessageTemplate.emailMessage', template.EmailMessage, codeForm],
    ['verificationMessageTemplate.emailMessageByLink', template.EmailMessageByLink, linkForm],
    ['adminCreateUserConfig.inviteMessageTemplate.sMSMessage', invitation.SMSMessage, codeForm],
    ['adminCreateUserConfig.inviteMessageTemplate.emailMessage', invitation.EmailMessage, codeForm],
  ] as const)
    if (text !== undefined && !needed.test(text))
      throw invalidParameter(
        `1 validation error detected: Value at '${field}' failed to satisfy constraint: Member must satisfy regular expression pattern: ${needed.source}`,
      )
}

const mfaModes = ['OFF', 'ON', 'OPTIONAL']

function refuseBadMfa(mode: string, mfa: RequestedMfa): void {
  if (!mfaModes.includes(mode))
    throw invalidParameter("[MfaConfiguration] must be one of 'ON', 'OFF', or 'OPTIONAL'.")
  const { SmsMfaConfiguration: sms, SoftwareTokenMfaConfiguration: token, EmailMfaConfiguration: email } = mfa
  const hasFactor = [sms, token, email].some(factor => factor !== undefined)
  if (mode === 'OFF' && hasFactor)
    throw invalidParameter(
      "Invalid MFA configuration given, can't turn off MFA and configure an MFA together.",
    )
  if (mode !== 'OFF' && Object.keys(mfa).length === 0)
    throw invalidParameter(
      'At least one of [SmsMfaConfiguration] or [SoftwareTokenMfaConfiguration] must be provided.',
    )
  if (mode !== 'OFF' && !hasFactor)
    throw invalidParameter(
      'Invalid MFA Configuration given. SMS MFA, Email MFA, or Software Token MFA must be enabled.',
    )
  if (mode !== 'OFF' && sms === undefined && email === undefined && token?.Enabled !== true)
    throw invalidParameter(
      "Invalid MFA configuration given, can't disable all MFAs with a required or optional configuration.",
    )
  if (sms !== undefined && sms.SmsConfiguration === undefined)
    throw invalidParameter('[SmsConfiguration] is a required member of [SoftwareTokenMfaConfiguration].')
}

/** Refuses a pool that asks for a second factor which no user could have. */
function refuseMissingFactor({ requested, mfa }: Pick<CreatedPool, 'requested' | 'mfa'>): void {
  const { MfaConfiguration: mode = 'OFF' } = requested
  if (mode === 'OFF' || enabledFactors({ requested, mfa }).length > 0) return
  throw invalidParameter(
    'SMS configuration and Auto verification for phone_number are required when MFA is required/optional',
  )
}
