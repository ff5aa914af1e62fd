import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { QueueStoreError } from '../store/queue-store-error.ts'
import { backoff } from './backoff.ts'

it.each([
  ['30 seconds after an error other than UNAVAILABLE', new Error('broken'), 30_000],
  ['2 seconds while the store is unavailable', new QueueStoreError('UNAVAILABLE', 'away'), 2000],
])('backoff pauses grow to %s', async (_, error, longest) => {
  const clock = manualClock()
  const pauses = backoff(clock)
  for (let failures = 0; failures < 20; failures++) pauses.failed(error)
  let isOver = false
  void pauses.pause(new AbortController().signal).then(() => {
    isOver = true
  })
  await clock.advance(longest - 1)
  expect(isOver).toBe(false)
  await clock.advance(1)
  expect(isOver).toBe(true)
})
