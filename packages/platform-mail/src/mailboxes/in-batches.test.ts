import { expect, it } from '@jest/globals'
import { inBatches } from './in-batches.ts'

it('inBatches() processes items in batches, and keeps the order of the results', async () => {
  const numbers = Array.from({ length: 100 }, (_, number) => number)
  let [now, most] = [0, 0]
  const doubled = await inBatches(numbers, async number => {
    most = Math.max(most, ++now)
    for (let turn = number % 7; turn >= 0; turn--) await new Promise(resolve => setImmediate(resolve))
    now--
    return 2 * number
  })
  expect(doubled).toEqual(numbers.map(number => 2 * number))
  expect(most).toBe(32)
})
