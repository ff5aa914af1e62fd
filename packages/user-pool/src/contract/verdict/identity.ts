import { kindOf, type Problem } from '@signalbox/codec'

/** The fields that identify an event (docs/contract/user-pool.md#common-fields). */
export interface Identity {
  readonly triggerSource: unknown
  readonly userPoolId: unknown
  readonly userName: unknown
}

/**
 * Returns a problem about the first identifying field that differs in the returned event, or undefined if all are the same.
 */
export function changedIdentity(returned: Partial<Identity>, sent: Partial<Identity>): Problem | undefined {
  const field = changedField(returned, sent)
  if (field === undefined) return undefined
  return { pointer: `/${field}`, expected: "the event's own value", actual: kindOf(returned[field]) }
}

function changedField(returned: Partial<Identity>, sent: Partial<Identity>): keyof Identity | undefined {
  if (returned.triggerSource !== sent.triggerSource) return 'triggerSource'
  if (returned.userPoolId !== sent.userPoolId) return 'userPoolId'
  return returned.userName !== sent.userName ? 'userName' : undefined
}
