import { object, optional, required } from '../fields/field.ts'
import { jsonMap, text } from '../fields/shape.ts'

/** Who called the pool (docs/contract/user-pool.md#common-fields). */
const callerContext = object('caller context', {
  /** Version of the caller’s SDK. */
  cloudSdkVersion: required(text),
  /** Identifies the application client. */
  clientId: required(text),
})

/** The fields of every user-pool event besides its request (docs/contract/user-pool.md#common-fields). */
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

/** The fields of events that have no response (docs/contract/user-pool.md#common-fields). */
export const commonFieldsOfSenders = {
  ...commonFields,
  response: optional(jsonMap),
}
