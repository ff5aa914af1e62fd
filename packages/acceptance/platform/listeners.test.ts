import { expect, it } from '@jest/globals'
import { fuzz } from './listeners.fuzz.ts'

it('every listener stays fast and leaks no memory when clients disconnect at any byte', async () => {
  expect(await fuzz(400, 20_261_122)).toMatch(/^400 cases at every listener/)
})
