import { expect, it } from '@jest/globals'
import * as postgres from './index.ts'
import * as store from './store/index.ts'

it('@signalbox/platform-postgres exports only the listed names', () => {
  expect(Object.keys(postgres).sort()).toMatchInlineSnapshot(`
[
  "DatabaseUnavailableError",
  "postgresEngine",
]
`)
})

it('@signalbox/platform-postgres/store exports only the listed names', () => {
  expect(Object.keys(store)).toMatchInlineSnapshot(`
[
  "postgresStore",
]
`)
})
