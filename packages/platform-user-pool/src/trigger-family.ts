import { formatProblems } from '@signalbox/codec'
import type { PlatformFamily } from '@signalbox/platform-runtime'
import { userPoolFamily } from '@signalbox/user-pool'
import {
  deniedMessage,
  knownSource,
  type Source,
  sources,
  sourcesOf,
  type TriggerEvent,
  triggerNames,
  triggerTimeout,
  triggerVerdict,
} from '@signalbox/user-pool/contract'

/** What the platform reads about user-pool triggers. Contract A. */
export const triggerFamily: PlatformFamily = {
  ...userPoolFamily,
  timeLimit: triggerTimeout,
  verdict(payload, event: TriggerEvent<Source>) {
    const verdict = triggerVerdict(payload, event)
    switch (verdict.kind) {
      case 'accepted':
        return { kind: 'accepted', ok: true, text: `accepted with ${JSON.stringify(verdict.response)}` }
      case 'denied': {
        const { trigger } = knownSource(event.triggerSource)!
        return { kind: 'denied', ok: true, text: `denied: ${deniedMessage(trigger, verdict.message)}` }
      }
      case 'invalid':
        return { kind: 'invalid', ok: false, text: `invalid:\n${formatProblems(verdict.problems)}` }
    }
  },
  summarize: ({ triggerSource }) => String(triggerSource),
  samples: Object.fromEntries([
    ['user-pool', () => sample('PreSignUp_SignUp')],
    ...triggerNames.map(trigger => [trigger, () => sample(sourcesOf(trigger)[0]!)] as const),
    ...sources.map(source => [source, () => sample(source)] as const),
  ]),
}

async function sample(source: Source): Promise<unknown> {
  return (await import('@signalbox/user-pool/testing')).triggerEvent(source)
}
