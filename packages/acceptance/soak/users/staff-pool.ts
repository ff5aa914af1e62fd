import type { Config } from '@signalbox/platform'
import { clientId, poolId } from './pool-client.ts'

interface TriggerEvent {
  readonly triggerSource: string
  readonly request: { readonly session?: readonly { readonly challengeResult: boolean }[] }
  readonly response: object
}

/** The function `challenge` of the pool, whose only custom challenge has the answer 7. */
export async function challenge(event: never): Promise<object> {
  const { triggerSource, request } = event as TriggerEvent
  const isAnswered = request.session?.at(-1)?.challengeResult === true
  const answers: { readonly [source: string]: object } = {
    DefineAuthChallenge_Authentication: isAnswered
      ? { issueTokens: true, failAuthentication: false }
      : { challengeName: 'CUSTOM_CHALLENGE', issueTokens: false, failAuthentication: false },
    CreateAuthChallenge_Authentication: {
      publicChallengeParameters: {},
      privateChallengeParameters: { answer: '7' },
    },
    VerifyAuthChallengeResponse_Authentication: { answerCorrect: true },
  }
  return { ...(event as TriggerEvent), response: answers[triggerSource] }
}

/** The configuration of the pool that the soak users use. */
export const staffPool = {
  userPools: {
    staff: {
      id: poolId,
      triggers: {
        function: 'challenge',
        routes: ['DefineAuthChallenge', 'CreateAuthChallenge', 'VerifyAuthChallengeResponse'],
      },
      verify: ['phone'],
      recovery: ['phone'],
      mfa: { mode: 'optional', by: ['totp'] },
      devices: 'always',
      firstFactors: ['password', 'passkey'],
      passkeys: { bothFactors: true },
      clients: {
        web: {
          id: clientId,
          flows: ['srp', 'password', 'custom', 'choice', 'refresh'],
          refresh: { rotate: true },
        },
      },
    },
  },
  // Each process listens on a different port, but tokens from one process must be valid in the next.
  userPoolListener: { port: 0, open: true, issuer: 'https://pools.example' },
} as const satisfies Config
