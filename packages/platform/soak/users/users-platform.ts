// One process of a platform: `node users-platform.ts FOLDER`. It prints the address of its user pools.
import { join } from 'node:path'
import { createPlatform } from '../../src/platform.ts'
import { clientId, poolId } from './pool-client.ts'

const folder = process.argv[2]!

interface TriggerEvent {
  readonly triggerSource: string
  readonly request: { readonly session?: readonly { readonly challengeResult: boolean }[] }
  readonly response: object
}

/** The only custom challenge. Its answer is 7. */
async function handler(event: never): Promise<object> {
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

const platform = createPlatform({
  functions: { challenge: { handler, timeout: 5 } },
  userPools: {
    staff: {
      id: poolId,
      triggers: {
        function: 'challenge',
        routes: ['DefineAuthChallenge', 'CreateAuthChallenge', 'VerifyAuthChallengeResponse'],
      },
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
  // Each process listens on another port, but tokens of one process must be valid in the next.
  userPoolListener: { port: 0, issuer: 'https://pools.example' },
  dataDir: join(folder, 'data'),
})
const [address] = await platform.start()
process.stdout.write(`${address!.url}\n`)
