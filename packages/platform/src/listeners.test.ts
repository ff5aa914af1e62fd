import { expect, it } from '@jest/globals'
import { fuzz } from './listeners.fuzz.ts'

it('every listener survives clients that disconnect at any byte, without delays or memory leaks', async () => {
  expect(await fuzz(400, 20_261_122)).toMatch(/^400 cases at every listener/)
}, 120_000)
