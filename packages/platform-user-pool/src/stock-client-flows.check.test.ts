import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { challenges } from './testing/challenges.ts'
import { listeningPool, runClient } from './testing/listening-pool.ts'

const clients = {
  'amazon-cognito-identity-js': 'identity-js.ts',
  'aws-amplify': 'amplify.ts',
  '@aws-sdk/client-cognito-identity-provider with cognito-srp-helper': 'aws-sdk.ts',
}

const wrongPassword = 'NotAuthorizedException: Incorrect username or password.'
const wrongCode = 'CodeMismatchException: Invalid verification code provided, please try again.'

/** The flows, each with the result that every client must print. */
const flows = {
  signUp: { to: 'a***@e***', early: 'UserNotConfirmedException: User is not confirmed.' },
  confirm: {
    wrong: wrongCode,
    right: null,
    again: wrongCode,
  },
  srp: { wrong: wrongPassword, right: 'ann' },
  custom: { wrongPassword, wrongAnswers: wrongPassword, secondAnswer: 'ann' },
  refresh: { isNew: true, isSameSignIn: true, user: 'ann' },
  attribute: {
    to: 'n***@e***',
    wrong: wrongCode,
    right: null,
    email: 'new@example.com',
    verified: 'true',
  },
  forgotten: {
    to: 'n***@e***',
    wrong: wrongCode,
    weak: 'InvalidPasswordException: Password did not conform with policy: Password not long enough',
    right: null,
    oldPassword: wrongPassword,
    newPassword: 'ann',
  },
  signOut: {
    here: 'Access Token has been revoked',
    elsewhere: 'Access Token has been revoked',
    refresh: true,
  },
}

describe.each(Object.entries(clients))('%s', (_, program) => {
  let setup: Awaited<ReturnType<typeof listeningPool>>
  let found: { readonly [flow: string]: unknown }

  beforeAll(async () => {
    setup = await listeningPool({ answers: challenges })
    found = (await runClient(program, setup.url, 'eu-central-1_Staff01', 'web')) as typeof found
  })
  afterAll(() => setup[Symbol.asyncDispose]())

  it.each([
    ['signs up', 'signUp'],
    ['confirms the account with a code', 'confirm'],
    ['signs in by SRP', 'srp'],
    ['signs in by custom authentication', 'custom'],
    ['refreshes its tokens', 'refresh'],
    ['changes and verifies an attribute', 'attribute'],
    ['replaces a forgotten password', 'forgotten'],
    ['signs out everywhere', 'signOut'],
  ] as const)('%s', (_, flow) => expect(found[flow]).toEqual(flows[flow]))
})
