import { anyJsonOr, fuzzBuiltCodecs } from '@signalbox/core/testing/agreement-suite'
import { arbitraryQueueEvent } from '../testing/arbitrary.ts'
import { QueueEnvelope, QueueEvent } from './event.ts'
import { QueueRecord } from './record.ts'

/** Checks that the codecs of the built package agree with those of the contract for any value. Requires a build. */
export const fuzz = (runs: number, seed?: number): Promise<string> =>
  fuzzBuiltCodecs(
    new URL('../../dist/contract/ready.js', import.meta.url),
    arbitraryQueueEvent,
    anyJsonOr(null, 7, '', '7', true, [], {}, [null], 'cloud:queue'),
    (event, changed) => {
      const other = changed(event)
      return [
        ['readyEvent', QueueEvent, other],
        ['readyEnvelope', QueueEnvelope, other],
        ['readyRecord', QueueRecord, event.Records[0]],
        ['readyRecord', QueueRecord, changed(event.Records[0] ?? {})],
      ]
    },
    runs,
    seed,
  )
