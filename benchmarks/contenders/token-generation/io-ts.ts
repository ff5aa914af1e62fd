import * as t from 'io-ts'
import { sources } from './by-hand.ts'

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
