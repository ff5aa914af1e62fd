import { expect, it } from '@jest/globals'
import * as testing from './index.ts'

it('index.ts exports exactly these names', () => {
  expect(Object.keys(testing)).toMatchInlineSnapshot(`
[
  "exchange",
  "httpEvent",
  "httpEventMutators",
]
`)
})
