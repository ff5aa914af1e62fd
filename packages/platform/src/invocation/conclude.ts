import { compile, formatProblems } from '@signalbox/codec'
import { httpVerdict } from '@signalbox/load-balancer/contract'
import { mailVerdict, responseTimeLimit } from '@signalbox/mail-flow/contract'
import { batchVerdict } from '@signalbox/queue/contract'
import {
  deniedMessage,
  knownSource,
  type TriggerVerdict,
  triggerTimeout,
  triggerVerdict,
} from '@signalbox/user-pool/contract'
import { familyOf } from '../families.ts'
import { httpConclusion } from '../sources/load-balancer/http-conclusion.ts'
import { mailConclusion } from '../sources/mail/flow/mail-conclusion.ts'
import { batchConclusion } from '../sources/queue/poller/batch-conclusion.ts'
import type { Conclusion } from './conclusion.ts'

export { familyOf }

/**
 * What the platform concludes from the payload of a function to which it sent this event, whichever family that
 * is of. Undefined for an event that breaks its contract or belongs to no family: no platform would have sent it.
 */
export function conclude(payload: string, event: unknown): Conclusion | undefined {
  const family = familyOf(event)
  if (family === undefined) return undefined
  const sent = structuredClone(event)
  family.normalize(sent)
  if (!compile(family.event)(sent)) return undefined
  const read = readers[family.name]!(payload, sent as never)
  return { family: family.name, ...read }
}

/** Milliseconds that the family of an event grants a function at most. Contract, limits. */
export function grantedBy(event: unknown): number | undefined {
  switch (familyOf(event)?.name) {
    case 'user-pool':
      return triggerTimeout
    case 'mail-flow':
      return responseTimeLimit
    default:
      return undefined
  }
}

type Reader = (payload: string, event: never) => Omit<Conclusion, 'family'>

const readers: { readonly [family: string]: Reader } = {
  'user-pool': (payload, event: { triggerSource: string }) =>
    ofTrigger(triggerVerdict(payload, event), event.triggerSource),
  queue: (payload, event) => batchConclusion(batchVerdict(payload, event)),
  'mail-flow': (payload, event) => mailConclusion(mailVerdict(payload, event)),
  'load-balancer': (payload, event) => httpConclusion(httpVerdict(payload, event)),
}

function ofTrigger(verdict: TriggerVerdict, source: string): Omit<Conclusion, 'family'> {
  switch (verdict.kind) {
    case 'accepted':
      return { kind: 'accepted', ok: true, text: `accepted with ${JSON.stringify(verdict.response)}` }
    case 'denied':
      return {
        kind: 'denied',
        ok: true,
        text: `denied: ${deniedMessage(knownSource(source)!.trigger, verdict.message)}`,
      }
    case 'invalid':
      return { kind: 'invalid', ok: false, text: `invalid:\n${formatProblems(verdict.problems)}` }
  }
}
