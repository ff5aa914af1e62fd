import { expect, it } from '@jest/globals'
import * as platform from './index.ts'

it('@signalbox/platform exports exactly these names', () => {
  expect(Object.keys(platform).sort()).toMatchInlineSnapshot(`
[
  "DataDirectoryInUseError",
  "InvalidConfigError",
  "createPlatform",
  "defineConfig",
]
`)
})
