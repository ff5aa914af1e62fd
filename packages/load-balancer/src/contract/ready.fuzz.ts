import { anyJsonOr, fuzzBuiltCodecs } from '@signalbox/core/testing/agreement-suite'
import { arbitraryHttpEvent } from '../testing/arbitrary.ts'
import { LoadBalancerEvent } from './event.ts'

/** Checks that the codecs of the built package agree with those of the contract for any value. Requires a build. */
export const fuzz = (runs: number, seed?: number): Promise<string> =>
  fuzzBuiltCodecs(
    new URL('../../dist/contract/ready.js', import.meta.url),
    arbitraryHttpEvent(),
    anyJsonOr(null, 7, '', true, [], {}, [null], 'GET', { a: ['b', 1] }),
    (event, changed) => [
      ['readyEvent', LoadBalancerEvent, changed(event)],
      ['readyEvent', LoadBalancerEvent, event],
    ],
    runs,
    seed,
  )
