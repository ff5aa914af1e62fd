import { it } from '@jest/globals'
import { fuzz } from './model.fuzz.ts'

it('does what the model of the contract does, whatever the sequence of operations', async () => {
  await fuzz(150, Date.now() % 2 ** 31)
}, 30_000)
