import { anyJsonOr, fuzzBuiltCodecs } from '@signalbox/core/testing/agreement-suite'
import fc from 'fast-check'
import { arbitraryMailEvent, arbitraryMailResponse } from '../testing/arbitrary.ts'
import { MailEvent } from './event.ts'
import { MailResponse } from './response.ts'

const values = arbitraryMailEvent().chain(event => fc.tuple(fc.constant(event), arbitraryMailResponse(event)))

/** Checks that the codecs of the built package agree with those of the contract for any value. Requires a build. */
export const fuzz = (runs: number, seed?: number): Promise<string> =>
  fuzzBuiltCodecs(
    new URL('../../dist/contract/ready.js', import.meta.url),
    values,
    anyJsonOr(null, 7, '', true, [], {}, [null], 'DROP', '2019-07-28', '-'.repeat(300)),
    (value, changed) => {
      const other = changed(value)
      const [event, response] = Array.isArray(other) ? (other as readonly unknown[]) : value
      return [
        ['readyEvent', MailEvent, event],
        ['readyResponse', MailResponse, response],
        ['readyResponse', MailResponse, other],
      ]
    },
    runs,
    seed,
  )
