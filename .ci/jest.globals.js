// Test files get this module when they import `@jest/globals`. Each test file has functions of its own that declare tests,
// and a module that several files share calls those of the file that runs.
import { ModernFakeTimers } from '@jest/fake-timers'
import { ModuleMocker } from 'jest-mock'

/** The functions for the test file that runs. `jest.runner.js` sets them. */
export const current = {}

const delegate = name =>
  new Proxy(() => {}, {
    apply: (_, __, input) => current[name](...input),
    get: (_, key) => current[name][key],
  })

export const describe = delegate('describe')
export const it = delegate('it')
export const expect = delegate('expect')
export const beforeAll = delegate('beforeAll')
export const beforeEach = delegate('beforeEach')
export const afterEach = delegate('afterEach')
export const afterAll = delegate('afterAll')

const mocker = new ModuleMocker(globalThis)
const timers = new ModernFakeTimers({ global: globalThis, config: { fakeTimers: {} } })

export const jest = {
  spyOn: (...input) => mocker.spyOn(...input),
  replaceProperty: (...input) => mocker.replaceProperty(...input),
  restoreAllMocks: () => mocker.restoreAllMocks(),
  useFakeTimers: options => timers.useFakeTimers(options),
  useRealTimers: () => timers.useRealTimers(),
  setSystemTime: now => timers.setSystemTime(now),
  advanceTimersByTimeAsync: ms => timers.advanceTimersByTimeAsync(ms),
  setTimeout: ms => {
    globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')] = ms
  },
}
