import { expect, it } from '@jest/globals'
import * as core from './index.ts'
import * as testing from './testing/index.ts'

it('@signalbox/core exports exactly the listed names', () => {
  expect(Object.keys(core).sort()).toMatchInlineSnapshot(`
[
  "DeniedError",
  "InvalidEventError",
  "InvalidOptionError",
  "InvalidResponseError",
  "SignalboxError",
  "UnknownEventError",
  "UnroutedError",
  "callsEnd",
  "closestFamily",
  "contractValidator",
  "deadline",
  "durableExecution",
  "endObserved",
  "fromTaskEither",
  "inDevelopment",
  "inDevelopmentOrTest",
  "isThenable",
  "keyvStore",
  "memoryStore",
  "named",
  "namedMiddleware",
  "normalizer",
  "notAnAnswer",
  "observe",
  "observerOf",
  "problemOfAnswer",
  "receiver",
  "refusalAsAnswer",
  "refuseUnknownOptions",
  "showOption",
  "signalbox",
  "systemClock",
  "validator",
  "warnOfName",
]
`)
  expect(Object.keys(testing).sort()).toMatchInlineSnapshot(`
[
  "changedInOnePlace",
  "invocationContext",
  "manualClock",
]
`)
})
