import { deepStrictEqual } from 'node:assert'
import { problems } from '@signalbox/codec'
import { changedInOnePlace } from '@signalbox/core/testing'
import { anyChange, anyJsonOr } from '@signalbox/core/testing/agreement-suite'
import fc from 'fast-check'
import { triggerEventCodec } from '../contract/event-codec.ts'
import { exactAnswers } from '../contract/ready.ts'
import type { Trigger } from '../contract/trigger-event.ts'
import { triggerNames } from '../contract/triggers/source.ts'
import { responseCodec } from '../contract/verdict/response-codec.ts'
import { triggerEvents, triggerResponses } from '../testing/arbitrary.ts'
import { normalizeTrigger } from './normalize.ts'

const change = anyChange(anyJsonOr(null, 7, '', true, [], {}, [null], 'CONFIRMED', ['SMS']))
const answers = fc
  .constantFrom(...triggerNames)
  .chain(trigger => fc.tuple(fc.constant(trigger), triggerResponses(trigger) as fc.Arbitrary<unknown>))

interface Written {
  readonly isNormalizedEvent: (event: unknown) => boolean
  readonly refusedEvent: (event: unknown) => readonly unknown[] | null
  readonly responseProblems: (trigger: Trigger, response: unknown, event: unknown) => readonly unknown[]
}

/**
 * Checks that the built package accepts exactly the events and answers that the codecs accept, and reports exactly the
 * same problems. The package must have been built before.
 */
export async function fuzz(runs: number, seed?: number): Promise<string> {
  const load = (path: string) => import(new URL(`../../dist/contract/${path}`, import.meta.url).href)
  const { isNormalizedEvent, refusedEvent } = (await load('ready-event.js')) as Written
  const { responseProblems } = (await load('verdict/response-problems.js')) as Written
  const written = (await load('ready.js')) as { readonly exactAnswers: typeof exactAnswers }
  let refused = 0
  const property = fc.property(triggerEvents(), answers, fc.nat(), change, (event, answer, place, change) => {
    const changed = changedInOnePlace(event, place, change)
    const expected = problems(triggerEventCodec, changed)
    deepStrictEqual(refusedEvent(changed) ?? [], expected)
    normalizeTrigger(changed)
    deepStrictEqual(isNormalizedEvent(changed), triggerEventCodec.is(changed))
    const [trigger, response] = answer
    const broken = changedInOnePlace(response, place, change)
    const wrong = problems(responseCodec(trigger), broken)
    if (expected.length + wrong.length > 0) refused++
    const places = wrong.map(problem => ({ ...problem, pointer: `/response${problem.pointer}` }))
    if (wrong.length > 0) deepStrictEqual(responseProblems(trigger, broken, event), places)
    deepStrictEqual(written.exactAnswers[trigger]?.(broken), exactAnswers[trigger]?.(broken))
  })
  fc.assert(property, { numRuns: runs, ...(seed === undefined ? {} : { seed }) })
  return `${runs} values, ${refused} of them refused`
}
