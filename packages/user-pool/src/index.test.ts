import { expect, it } from '@jest/globals'
import * as userPool from './index.ts'

it('@signalbox/user-pool exports exactly the listed names', () => {
  expect(Object.keys(userPool).sort()).toMatchInlineSnapshot(`
[
  "TriggerInProgressError",
  "claims",
  "codeDecrypter",
  "customAuth",
  "deny",
  "message",
  "once",
  "oneTimeCode",
  "passThrough",
  "sameAnswer",
  "triggerRouter",
  "userPool",
  "userPoolFamily",
  "userPoolNormalizer",
  "userPoolSerializer",
  "userPoolValidator",
]
`)
})
