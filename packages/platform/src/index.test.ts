import { expect, it } from '@jest/globals'
import * as platform from './index.ts'

it('@signalbox/platform exports exactly the names that this test lists', () => {
  expect(Object.keys(platform).sort()).toMatchInlineSnapshot(`
[
  "DataDirectoryInUseError",
  "InvalidConfigError",
  "createPlatform",
  "defineConfig",
]
`)
})
