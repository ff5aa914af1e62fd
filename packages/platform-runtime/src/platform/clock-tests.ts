import type { Clock } from '@signalbox/core/base'
import type { ManualClock } from '@signalbox/core/testing'
import * as t from 'io-ts'
import { ApiError } from '../console/api-error.ts'
import { RefusedError } from '../console/refused-error.ts'
import { type TestPart, testRoute } from '../control/test-part.ts'
import type { InFlight } from '../invocation/in-flight.ts'
import { idle, quiet } from './quiet.ts'

/**
 * The longest time by which one request moves the clock, in milliseconds: a year. Many timers run meanwhile, which takes a
 * minute.
 */
const longestMove = 366 * 86_400_000

const isDuration = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= longestMove

const milliseconds = new t.Type<number, number, unknown>(
  `a whole number of milliseconds, from 0 to ${longestMove}`,
  isDuration,
  (value, context) => (isDuration(value) ? t.success(value) : t.failure(value, context)),
  t.identity,
)

/** The clock in the test interface. Only a manual clock can be moved. */
export function clockTests(clock: Clock, work: Pick<InFlight, 'counts'>): TestPart {
  const isManual = 'advance' in clock
  const state = () => ({ now: Math.floor(clock.now()), time: new Date(clock.now()).toISOString(), isManual })
  let isMoving = false
  return {
    name: 'clock',
    routes: [
      testRoute('GET', '/clock', {}, async () => state()),
      testRoute('POST', '/clock', { advance: milliseconds }, async ({ fields: { advance } }) => {
        if (!isManual)
          throw new RefusedError(
            'This clock cannot be moved. Start the platform with `signalbox dev --clock manual`, or give createPlatform() a manualClock().',
          )
        if (advance === undefined)
          throw new ApiError(400, 'The body needs the field advance, such as {"advance": 60000}.')
        if (isMoving)
          throw new RefusedError('Another request is moving the clock. Wait until it has its answer.')
        isMoving = true
        try {
          await idle(work)
          await (clock as ManualClock).advance(advance, quiet(work))
        } finally {
          isMoving = false
        }
        return state()
      }),
    ],
  }
}
