import type { Clock } from '@signalbox/core'
import type { FunctionInspector } from './function-inspector.ts'

/**
 * Returns a clock whose timers never fire while a debugger is attached, because a function that is paused is not late.
 * When the last debugger leaves, each timer begins again with its full time.
 */
export function debuggedClock(
  clock: Clock,
  { isAttached, onChange }: Pick<FunctionInspector, 'isAttached' | 'onChange'>,
): Clock {
  return {
    now: clock.now,
    wall: clock.wall,
    after(ms, run) {
      let cancel = () => {}
      const begin = () => {
        cancel()
        cancel = isAttached() ? () => {} : clock.after(ms, fire)
      }
      const unsubscribe = onChange(begin)
      const fire = () => {
        unsubscribe()
        run()
      }
      begin()
      return () => {
        unsubscribe()
        cancel()
      }
    },
  }
}
