import { expect, it } from '@jest/globals'
import * as testing from './index.ts'

it('@signalbox/load-balancer/testing exports exactly these names', () => {
  expect(Object.keys(testing)).toMatchInlineSnapshot(`
[
  "exchange",
  "httpEvent",
  "httpEventMutators",
]
`)
})
