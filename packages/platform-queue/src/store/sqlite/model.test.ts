import { it } from '@jest/globals'
import fc from 'fast-check'
import { fuzz } from './model.fuzz.ts'

it('the SQLite store behaves like the model for any sequence of operations', async () => {
  await fuzz(50, fc.readConfigureGlobal().seed!)
})
