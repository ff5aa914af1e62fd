import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { sources } from './by-hand.ts'

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
