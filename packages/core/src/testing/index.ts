export { type Change, changedInOnePlace } from './changed-in-one-place.ts'
export { invocationContext } from './invocation-context.ts'
export { type ManualClock, type ManualClockOptions, manualClock } from './manual-clock.ts'
