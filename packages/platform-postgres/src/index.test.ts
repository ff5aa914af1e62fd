import { expect, it } from '@jest/globals'
import * as postgres from './index.ts'

it('@signalbox/platform-postgres exports exactly these names', () => {
  expect(Object.keys(postgres).sort()).toMatchInlineSnapshot(`
[
  "DatabaseUnavailableError",
  "postgresEngine",
]
`)
})
