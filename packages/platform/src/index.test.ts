import { expect, it } from '@jest/globals'
import * as platform from './index.ts'

it('exports exactly this', () => {
  expect(Object.keys(platform).sort()).toMatchInlineSnapshot(`
[
  "DataDirectoryInUseError",
  "InvalidConfigError",
  "createPlatform",
  "defineConfig",
]
`)
})
