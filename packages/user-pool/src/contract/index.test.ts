import { expect, it } from '@jest/globals'
import * as contract from './index.ts'

it('@signalbox/user-pool/contract exports exactly the listed names', () => {
  expect(Object.keys(contract).sort()).toMatchInlineSnapshot(`
[
  "challengeNames",
  "commonFields",
  "commonFieldsOfSenders",
  "deniedMessage",
  "emailMessageLength",
  "eventCodec",
  "expectedSource",
  "groupClaims",
  "knownSource",
  "reservedClaims",
  "responseCodec",
  "responseProblems",
  "returnedProblems",
  "scopeVersions",
  "smsMessageLength",
  "sources",
  "sourcesOf",
  "takeoverAttributeNames",
  "takesScopes",
  "titleOf",
  "triggerAttempts",
  "triggerEventCodec",
  "triggerNames",
  "triggerTimeout",
  "triggerVerdict",
  "triggers",
  "userAttributeNames",
  "userStatuses",
  "whenCalled",
]
`)
})
