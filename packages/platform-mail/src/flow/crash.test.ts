import { it } from '@jest/globals'
import { fuzz } from './crash.fuzz.ts'

it('loses nothing and does nothing twice, whenever the box dies', async () => {
  await fuzz(200, Date.now() % 2 ** 31)
})
