import { expect, it } from '@jest/globals'
import * as postgres from './index.ts'

it('the package exports exactly these names', () => {
  expect(Object.keys(postgres).sort()).toMatchInlineSnapshot(`
[
  "DatabaseUnavailableError",
  "postgresEngine",
]
`)
})
