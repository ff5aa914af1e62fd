import { object, optional, required } from './field.ts'
import { jsonMap, text } from './shape.ts'

/** Who called the pool (contract A.1). */
const callerContext = object('caller context', {
  /** Version of the caller’s SDK. */
  cloudSdkVersion: required(text),
  /** Identifies the application client. */
  clientId: required(text),
})

/** What every user-pool event has beside its request (contract A.1). */
export const commonFields = {
  /** Version of the event format. */
  version: required(text),
  /** Region of the user pool. */
  region: required(text),
  /** Identifies the user pool. */
  userPoolId: required(text),
  /** Names the event that caused the invocation. */
  triggerSource: required(text),
  /** Name of the current user. */
  userName: required(text),
  /** Who called the pool. */
  callerContext: required(callerContext),
  /** Empty object, which the function fills. The events of custom senders may lack it. */
  response: required(jsonMap),
}

/** The same for triggers whose event shows no response (contract A.1, last sentence). */
export const commonFieldsOfSenders = {
  ...commonFields,
  response: optional(jsonMap),
}
