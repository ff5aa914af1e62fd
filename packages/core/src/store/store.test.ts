import { afterAll, beforeAll, describe, jest } from '@jest/globals'
import { Keyv } from 'keyv'
import { systemClock } from '../clock.ts'
import { manualClock } from '../testing/index.ts'
import { keyvStore } from './keyv-store.ts'
import { memoryStore } from './memory-store.ts'
import { storeSuite } from './store-suite.ts'

const start = Date.UTC(2026, 0, 1)

storeSuite('memoryStore', async () => {
  const clock = manualClock(start)
  return { store: memoryStore({ clock }), pass: clock.advance }
})

describe('with a stopped system clock, which keyv reads:', () => {
  const others = ['hrtime', 'performance', 'setImmediate', 'nextTick', 'queueMicrotask'] as const
  beforeAll(() => {
    // The system clock keeps the wall clock's time at its first reading, which must not be the one of this test.
    systemClock.now()
    jest.useFakeTimers({ now: start, doNotFake: [...others] })
  })
  afterAll(() => void jest.useRealTimers())

  storeSuite('keyvStore', async () => ({
    store: keyvStore(new Keyv()),
    pass: async ms => void jest.setSystemTime(Date.now() + ms),
  }))
})
