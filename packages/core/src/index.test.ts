import { expect, it } from '@jest/globals'
import * as core from './index.ts'
import * as testing from './testing/index.ts'

it('exports exactly this', () => {
  expect(Object.keys(core).sort()).toMatchInlineSnapshot()
  expect(Object.keys(testing).sort()).toMatchInlineSnapshot()
})
