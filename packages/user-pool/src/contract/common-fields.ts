import { object, optional, required } from './field.ts'
import { jsonMap, text } from './shape.ts'

/** Who called the pool (contract A.1). */
const callerContext = object('caller context', {
  cloudSdkVersion: required(text),
  clientId: required(text),
})

/** What every user-pool event has beside its request (contract A.1). */
export const commonFields = {
  version: required(text),
  region: required(text),
  userPoolId: required(text),
  triggerSource: required(text),
  userName: required(text),
  callerContext: required(callerContext),
  response: required(jsonMap),
}

/** The same for triggers whose event shows no response (contract A.1, last sentence). */
export const commonFieldsOfSenders = {
  ...commonFields,
  response: optional(jsonMap),
}
