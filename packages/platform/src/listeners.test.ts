import { expect, it } from '@jest/globals'
import { fuzz } from './listeners.fuzz.ts'

it('every listener survives hostile clients that leave anywhere, quickly and without memory that stays', async () => {
  expect(await fuzz(400, 20_261_122)).toMatch(/^400 cases at every listener/)
}, 120_000)
