import { expect, it } from '@jest/globals'
import * as testing from './index.ts'

it('@signalbox/mail-flow/testing exports exactly these names', () => {
  expect(Object.keys(testing).sort()).toMatchInlineSnapshot(`
[
  "mailEvent",
  "mailEventMutators",
  "memoryMessages",
]
`)
})
