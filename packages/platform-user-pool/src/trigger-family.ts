import { formatProblems } from '@signalbox/codec'
import type { PlatformFamily, Verdict } from '@signalbox/platform-runtime'
import {
  deniedMessage,
  eventCodec,
  knownSource,
  type Source,
  sources,
  sourcesOf,
  type TriggerEvent,
  type TriggerVerdict,
  triggerNames,
  triggerTimeout,
  triggerVerdict,
} from '@signalbox/user-pool/contract'
import { userPoolFamily } from '@signalbox/user-pool/family'

/** The fields of user-pool triggers that the platform reads. See docs/contract/user-pool.md. */
export const triggerFamily: PlatformFamily = {
  ...userPoolFamily,
  timeLimit: triggerTimeout,
  verdict: (payload, event: TriggerEvent<Source>) =>
    triggerConclusion(triggerVerdict(payload, event), event.triggerSource),
  problems: (payload, event: TriggerEvent<Source>) => {
    const verdict = triggerVerdict(payload, event)
    return verdict.kind === 'invalid' ? verdict.problems : []
  },
  eventCodec: ({ triggerSource }: TriggerEvent<Source>) => eventCodec(triggerSource),
  summarize: ({ triggerSource }) => String(triggerSource),
  samples: Object.fromEntries([
    ['user-pool', () => sample('PreSignUp_SignUp')],
    ...triggerNames.map(trigger => [trigger, () => sample(sourcesOf(trigger)[0]!)] as const),
    ...sources.map(source => [source, () => sample(source)] as const),
  ]),
}

/** Returns a description of a trigger's verdict, for both people and programs. */
export function triggerConclusion(verdict: TriggerVerdict, source: Source): Omit<Verdict, 'family'> {
  switch (verdict.kind) {
    case 'accepted':
      return { kind: 'accepted', ok: true, text: `accepted with ${JSON.stringify(verdict.response)}` }
    case 'denied': {
      const { trigger } = knownSource(source)!
      return { kind: 'denied', ok: true, text: `denied: ${deniedMessage(trigger, verdict.message)}` }
    }
    case 'invalid':
      return { kind: 'invalid', ok: false, text: `invalid:\n${formatProblems(verdict.problems)}` }
  }
}

async function sample(source: Source): Promise<unknown> {
  return (await import('@signalbox/user-pool/testing')).triggerEvent(source)
}
