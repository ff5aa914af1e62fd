import * as t from 'io-ts'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import * as v from 'valibot'
import * as z from 'zod'

/** What the peers take apart; the codec's type is all that any of them promises. */
export type TokenGeneration = t.TypeOf<typeof IoTsTokenGeneration>

export const sources = [
  'TokenGeneration_HostedAuth',
  'TokenGeneration_Authentication',
  'TokenGeneration_NewPasswordChallenge',
  'TokenGeneration_AuthenticateDevice',
  'TokenGeneration_RefreshTokens',
] as const

/** The limit: everything that the schemas below ask, and nothing else. */
export function isTokenGeneration(u: unknown): u is TokenGeneration {
  if (!isObject(u)) return false
  const { callerContext, request } = u
  if (
    typeof u.version !== 'string' ||
    typeof u.region !== 'string' ||
    typeof u.userPoolId !== 'string' ||
    !isSource(u.triggerSource) ||
    typeof u.userName !== 'string' ||
    !isObject(callerContext) ||
    typeof callerContext.cloudSdkVersion !== 'string' ||
    typeof callerContext.clientId !== 'string' ||
    !isObject(u.response) ||
    !isObject(request) ||
    !isTextMap(request.userAttributes) ||
    (request.clientMetadata != null && !isTextMap(request.clientMetadata)) ||
    !isObject(request.groupConfiguration)
  )
    return false
  const { groupsToOverride, accessRolesToOverride, preferredRole } = request.groupConfiguration
  return (
    (groupsToOverride == null || isTextList(groupsToOverride)) &&
    (accessRolesToOverride == null || isTextList(accessRolesToOverride)) &&
    (preferredRole == null || typeof preferredRole === 'string')
  )
}

export function isObject(u: unknown): u is Record<string, unknown> {
  return typeof u === 'object' && u !== null && !Array.isArray(u)
}

function isSource(u: unknown): boolean {
  return u === sources[1] || u === sources[0] || u === sources[2] || u === sources[3] || u === sources[4]
}

export function isTextMap(u: unknown): boolean {
  if (!isObject(u)) return false
  for (const key in u) if (typeof u[key] !== 'string') return false
  return true
}

export function isTextList(u: unknown): boolean {
  if (!Array.isArray(u)) return false
  for (let i = 0; i < u.length; i++) if (typeof u[i] !== 'string') return false
  return true
}

const textMap = t.record(t.string, t.string)
const absentOr = <C extends t.Mixed>(codec: C) => t.union([codec, t.null])
export const IoTsTokenGeneration = t.type({
  version: t.string,
  region: t.string,
  userPoolId: t.string,
  triggerSource: t.keyof(
    Object.fromEntries(sources.map(source => [source, null])) as Record<(typeof sources)[number], null>,
  ),
  userName: t.string,
  callerContext: t.type({ cloudSdkVersion: t.string, clientId: t.string }),
  request: t.intersection([
    t.type({
      userAttributes: textMap,
      groupConfiguration: t.partial({
        groupsToOverride: absentOr(t.array(t.string)),
        accessRolesToOverride: absentOr(t.array(t.string)),
        preferredRole: absentOr(t.string),
      }),
    }),
    t.partial({ clientMetadata: absentOr(textMap) }),
  ]),
  response: t.UnknownRecord,
})

export const jsonSchemaOfTokenGeneration = {
  type: 'object',
  required: [
    'version',
    'region',
    'userPoolId',
    'triggerSource',
    'userName',
    'callerContext',
    'request',
    'response',
  ],
  properties: {
    version: { type: 'string' },
    region: { type: 'string' },
    userPoolId: { type: 'string' },
    triggerSource: { type: 'string', enum: sources },
    userName: { type: 'string' },
    callerContext: {
      type: 'object',
      required: ['cloudSdkVersion', 'clientId'],
      properties: { cloudSdkVersion: { type: 'string' }, clientId: { type: 'string' } },
    },
    request: {
      type: 'object',
      required: ['userAttributes', 'groupConfiguration'],
      properties: {
        userAttributes: { type: 'object', additionalProperties: { type: 'string' } },
        groupConfiguration: {
          type: 'object',
          properties: {
            groupsToOverride: { type: 'array', nullable: true, items: { type: 'string' } },
            accessRolesToOverride: { type: 'array', nullable: true, items: { type: 'string' } },
            preferredRole: { type: 'string', nullable: true },
          },
        },
        clientMetadata: { type: 'object', nullable: true, additionalProperties: { type: 'string' } },
      },
    },
    response: { type: 'object' },
  },
}

/** Zod builds a new object, in which it keeps unknown fields only where it is told to. */
export const ZodTokenGeneration = z.looseObject({
  version: z.string(),
  region: z.string(),
  userPoolId: z.string(),
  triggerSource: z.enum(sources),
  userName: z.string(),
  callerContext: z.looseObject({ cloudSdkVersion: z.string(), clientId: z.string() }),
  request: z.looseObject({
    userAttributes: z.record(z.string(), z.string()),
    groupConfiguration: z.looseObject({
      groupsToOverride: z.array(z.string()).nullish(),
      accessRolesToOverride: z.array(z.string()).nullish(),
      preferredRole: z.string().nullish(),
    }),
    clientMetadata: z.record(z.string(), z.string()).nullish(),
  }),
  response: z.record(z.string(), z.unknown()),
})

export const ValibotTokenGeneration = v.object({
  version: v.string(),
  region: v.string(),
  userPoolId: v.string(),
  triggerSource: v.picklist(sources),
  userName: v.string(),
  callerContext: v.object({ cloudSdkVersion: v.string(), clientId: v.string() }),
  request: v.object({
    userAttributes: plainMap(v.string()),
    groupConfiguration: v.pipe(
      plain(),
      v.object({
        groupsToOverride: v.nullish(v.array(v.string())),
        accessRolesToOverride: v.nullish(v.array(v.string())),
        preferredRole: v.nullish(v.string()),
      }),
    ),
    clientMetadata: v.nullish(plainMap(v.string())),
  }),
  response: plainMap(v.unknown()),
})

// Valibot takes an array for an object, which nothing else here does.
function plain() {
  return v.custom<object>(u => !Array.isArray(u))
}

function plainMap<S extends v.GenericSchema>(values: S) {
  return v.pipe(plain(), v.record(v.string(), values))
}

const nullable = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Optional(Type.Union([schema, Type.Null()]))
export const TypeboxTokenGeneration = Compile(
  Type.Object({
    version: Type.String(),
    region: Type.String(),
    userPoolId: Type.String(),
    triggerSource: Type.Enum([...sources]),
    userName: Type.String(),
    callerContext: Type.Object({ cloudSdkVersion: Type.String(), clientId: Type.String() }),
    request: Type.Object({
      userAttributes: Type.Record(Type.String(), Type.String()),
      groupConfiguration: Type.Object({
        groupsToOverride: nullable(Type.Array(Type.String())),
        accessRolesToOverride: nullable(Type.Array(Type.String())),
        preferredRole: nullable(Type.String()),
      }),
      clientMetadata: nullable(Type.Record(Type.String(), Type.String())),
    }),
    response: Type.Record(Type.String(), Type.Unknown()),
  }),
)
