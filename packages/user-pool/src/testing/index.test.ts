import { expect, it } from '@jest/globals'
import * as testing from './index.ts'

it('@signalbox/user-pool/testing exports exactly the listed names', () => {
  expect(Object.keys(testing).sort()).toMatchInlineSnapshot(`
[
  "createAuthChallengeEvent",
  "customEmailSenderEvent",
  "customMessageEvent",
  "customSmsSenderEvent",
  "defineAuthChallengeEvent",
  "inboundFederationEvent",
  "mutations",
  "postAuthenticationEvent",
  "postConfirmationEvent",
  "preAuthenticationEvent",
  "preSignUpEvent",
  "signIn",
  "tokenGenerationEvent",
  "triggerEvent",
  "userMigrationEvent",
  "verifyAuthChallengeEvent",
]
`)
})
