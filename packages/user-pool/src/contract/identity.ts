import type { Problem } from '@signalbox/codec'
import { kindOf } from './kind-of.ts'

/** By what an event is known to be the same (contract A.1). */
export interface Identity {
  readonly triggerSource: unknown
  readonly userPoolId: unknown
  readonly userName: unknown
}

/** What shows that what came back is another event than the one that was sent; undefined if it is the same. */
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
