export { invocationContext } from './invocation-context.ts'
export { type ManualClock, manualClock } from './manual-clock.ts'
