import { expect, it } from '@jest/globals'
import * as testing from './index.ts'

it('the testing entry point exports what tests of mail-flow functions need', () => {
  expect(Object.keys(testing).sort()).toMatchInlineSnapshot(`
[
  "mailEvent",
  "mailEventMutators",
]
`)
})
