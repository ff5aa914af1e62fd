import { expect, it } from '@jest/globals'
import * as queue from './index.ts'
import * as testing from './testing/index.ts'

it('@signalbox/queue exports exactly the listed names', () => {
  expect(Object.keys(queue).sort()).toMatchInlineSnapshot(`
[
  "BatchFailedError",
  "DiscardError",
  "InvalidMessageError",
  "MessageInProgressError",
  "UnhandledMessageError",
  "UnknownMessageError",
  "discard",
  "eachMessage",
  "failureCollector",
  "once",
  "partialFailures",
  "queue",
  "queueFamily",
  "queueNormalizer",
  "queueValidator",
]
`)
  expect(Object.keys(testing).sort()).toMatchInlineSnapshot(`
[
  "fifoEvent",
  "fifoRecord",
  "queueEvent",
  "queueEventMutators",
  "queueRecord",
]
`)
})
