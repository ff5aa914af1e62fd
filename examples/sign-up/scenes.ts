import { readFileSync } from 'node:fs'
import { deniedMessage, triggerVerdict } from '@signalbox/user-pool/contract'
import type { Scene } from '../scene.ts'
import { handler } from './handler.ts'

function read(file: string): { readonly triggerSource: string } {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))
}

/** Describes the next step of the user pool in one sentence. */
function conclude(payload: string, event: unknown): string {
  const verdict = triggerVerdict(payload, event)
  const [trigger] = (event as { triggerSource: string }).triggerSource.split('_')
  switch (verdict.kind) {
    case 'denied':
      return `the caller is told: ${deniedMessage(trigger!, verdict.message)}`
    case 'invalid':
      return `the answer breaks the contract at ${verdict.problems.map(({ pointer }) => pointer).join(', ')}`
    case 'accepted':
      return effect(verdict.response as Readonly<Record<string, unknown>>)
  }
}

function effect(response: Readonly<Record<string, unknown>>): string {
  if (response.autoConfirmUser) return 'the user is created, confirmed, with a verified e-mail address'
  if (response.issueTokens) return 'tokens are issued'
  if (response.failAuthentication) return 'the sign-in fails'
  if (response.challengeName) return `the next challenge is ${response.challengeName}`
  if (response.challengeMetadata) return `the client is asked for the ${response.challengeMetadata}`
  if (response.answerCorrect !== undefined)
    return `the answer is ${response.answerCorrect ? 'right' : 'wrong'}`
  const { accessTokenGeneration } = (response.claimsAndScopeOverrideDetails ?? {}) as {
    accessTokenGeneration?: { claimsToAddOrOverride?: object; claimsToSuppress?: readonly string[] }
  }
  return `both tokens say ${JSON.stringify(accessTokenGeneration?.claimsToAddOrOverride)} and not ${accessTokenGeneration?.claimsToSuppress}`
}

/** The scenes: a sign-up, a refused sign-up, and a sign-in with a password and a one-time code. */
export const scenes: readonly Scene[] = [
  {
    happens: 'Ada signs up with a staff address',
    file: 'event.json',
    expected: 'the user is created, confirmed, with a verified e-mail address',
  },
  {
    happens: 'Eve signs up with an address from elsewhere',
    file: 'other-domain.json',
    expected: 'the caller is told: PreSignUp failed with error Staff addresses only.',
  },
  {
    happens: 'Mallory, whose account is closed, signs in',
    file: 'closed-account.json',
    expected: 'the caller is told: PreAuthentication failed with error This account is closed.',
  },
  {
    happens: 'Ada signs in: what comes first?',
    file: 'define-1-srp.json',
    expected: 'the next challenge is PASSWORD_VERIFIER',
  },
  {
    happens: 'her password is right: what comes next?',
    file: 'define-2-password.json',
    expected: 'the next challenge is CUSTOM_CHALLENGE',
  },
  {
    happens: 'the challenge is put, and a code goes to her mailbox',
    file: 'create.json',
    expected: 'the client is asked for the one-time-code',
  },
  { happens: 'she mistypes the code', file: 'verify-wrong.json', expected: 'the answer is wrong' },
  {
    happens: 'one of three attempts is gone',
    file: 'define-3-wrong.json',
    expected: 'the next challenge is CUSTOM_CHALLENGE',
  },
  { happens: 'she types the code in correctly', file: 'verify-right.json', expected: 'the answer is right' },
  { happens: 'everything is answered', file: 'define-4-right.json', expected: 'tokens are issued' },
  {
    happens: 'her tokens are about to be made',
    file: 'tokens.json',
    expected: 'both tokens say {"tenant":"t1"} and not email',
  },
].map(({ happens, file, expected }) => ({ happens, event: read(file), handler, conclude, expected }))
