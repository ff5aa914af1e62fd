import * as v from 'valibot'
import { sources } from './by-hand.ts'

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

// Valibot accepts an array as an object. The other schemas here do not.
function plain() {
  return v.custom<object>(u => !Array.isArray(u))
}

function plainMap<S extends v.GenericSchema>(values: S) {
  return v.pipe(plain(), v.record(v.string(), values))
}
