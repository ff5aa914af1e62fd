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
import { schemaWith, standardSchema } from '../../../created-pools/schema.ts'
import type { Engine } from '../../../engine.ts'
import { invalidParameter } from '../../../flows/accounts/accounts.ts'
import { fields } from '../../wire/inputs.ts'
import { wireCreatedMfa, wireCreatedPool } from '../../wire/wire-created-pool.ts'
import { admin, type Operations } from '../operation.ts'
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
      await engine.createdPools.add(createdPool)
      return { UserPool: wireCreatedPool(engine, createdPool) }
    },
  ),

  UpdateUserPool: admin(fields(pool, { ...changeable, PoolName: t.string }), async (engine, input) => {
    const { UserPoolId, PoolName, ...requested } = input
    refuseBadPool(PoolName ?? 'unchanged', requested)
    await change(engine, UserPoolId, createdPool => ({
      ...createdPool,
      name: PoolName ?? createdPool.name,
      // Fields that the request omits are reset to their defaults.
      requested: { ...only(createdPool.requested, unchangeable), ...only(requested, changeable) },
    }))
    return {}
  }),

  DeleteUserPool: admin(fields(pool, {}), async (engine, { UserPoolId }) => {
    const createdPool = refuseConfigured(engine, UserPoolId)
    if (createdPool.requested.DeletionProtection === 'ACTIVE')
      throw invalidParameter(
        'The user pool cannot be deleted because deletion protection is activated. Deletion protection must be inactivated first.',
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
    async (engine, { UserPoolId, MfaConfiguration = 'OFF', ...requested }) => {
      const mfa = only(requested, mfaFields)
      refuseBadMfa(MfaConfiguration, mfa)
      const createdPool = await change(engine, UserPoolId, before => ({
        ...before,
        mfa,
        requested: { ...before.requested, MfaConfiguration },
      }))
      return wireCreatedMfa(createdPool)
    },
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

function refuseBadPool(name: string, requested: RequestedPool): void {
  if (!/^[\w\s+=,.@-]{1,128}$/.test(name))
    throw invalidParameter('PoolName must have 1 to 128 letters, digits, spaces and +=,.@-.')
  if (requested.UsernameAttributes?.length && requested.AliasAttributes?.length)
    throw invalidParameter('Only one of the aliasAttributes or usernameAttributes can be set in a user pool.')
  for (const [field, values, known] of [
    ['UsernameAttributes', requested.UsernameAttributes, ['email', 'phone_number']],
    ['AliasAttributes', requested.AliasAttributes, ['email', 'phone_number', 'preferred_username']],
    ['AutoVerifiedAttributes', requested.AutoVerifiedAttributes, ['email', 'phone_number']],
    ['MfaConfiguration', requested.MfaConfiguration && [requested.MfaConfiguration], mfaModes],
  ] as const)
    for (const value of values || [])
      if (!(known as readonly string[]).includes(value))
        throw invalidParameter(`${field} must be of ${known.join(', ')}.`)
  refuseBadTexts(requested)
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
  if (mode !== 'OFF' && Object.keys(mfa).length === 0)
    throw invalidParameter(
      'At least one of [SmsMfaConfiguration] or [SoftwareTokenMfaConfiguration] must be provided.',
    )
  if (mfa.SmsMfaConfiguration !== undefined && mfa.SmsMfaConfiguration.SmsConfiguration === undefined)
    throw invalidParameter('[SmsConfiguration] is a required member of [SoftwareTokenMfaConfiguration].')
}
