import { describe, expect, it } from '@jest/globals'
import { compile, problems } from '@signalbox/codec'
import fc from 'fast-check'
import { triggerResponses } from '../../testing/arbitrary.ts'
import { fieldCases } from '../../testing/field-cases.ts'
import { leastAnswers } from '../../testing/least-answers.ts'
import { triggerNames } from '../triggers/source.ts'
import { triggers } from '../triggers/triggers.ts'
import { responseCodec } from './response-codec.ts'

/** Returns nested objects with a value at the end of a path of keys. */
function nest([first, ...rest]: readonly string[], value: unknown): object {
  return { [first!]: rest.length === 0 ? value : nest(rest, value) }
}

const pointerOf = (path: readonly string[]) => `/${path.join('/')}`

describe('the answer', () => {
  it.each(
    triggerNames.flatMap(trigger =>
      fieldCases(triggers[trigger].response).map(({ path, required, ...values }) => ({
        ...{ trigger, path, required, ...values },
        title: `to ${trigger} ${required ? 'must' : 'may'} have the field ${path.join('.')}`,
      })),
    ),
  )('$title', ({ trigger, path, required, good, bad, within }) => {
    const wrong = (value: unknown) => {
      const answer = { ...leastAnswers[trigger], ...nest(path, value) }
      return [...new Set(problems(responseCodec(trigger), answer).map(({ pointer }) => pointer))]
    }
    expect(wrong(good)).toEqual([])
    expect(wrong(bad)).toEqual([pointerOf([...path, ...within])])
    expect(wrong(null)).toEqual(required ? [pointerOf(path)] : [])
    expect(wrong(undefined)).toEqual(required ? [pointerOf(path)] : [])
  })

  it.each(triggerNames)('to %s is not refused when it is the smallest valid one', trigger => {
    expect(problems(responseCodec(trigger), leastAnswers[trigger])).toEqual([])
  })

  it('to token generation of version 2 or 3 must have claims that are plain JSON without cycles', () => {
    const cycle: unknown[] = []
    cycle.push(cycle)
    for (const claim of [
      cycle,
      new Array(1),
      Object.assign(['a'], { toJSON: () => null }),
      Number.NaN,
      () => 1,
      1n,
      undefined,
      new Date(0),
      new Map([[1, 2]]),
    ]) {
      const response = {
        claimsAndScopeOverrideDetails: { idTokenGeneration: { claimsToAddOrOverride: { claim } } },
      }
      expect(compile(responseCodec('TokenGeneration'))(response)).toBe(false)
    }
  })
})

it.each(triggerNames)('every generated answer to %s is valid, even with unknown fields', trigger => {
  fc.assert(
    fc.property(triggerResponses(trigger), response => {
      expect(problems(responseCodec(trigger), response)).toEqual([])
      expect(compile(responseCodec(trigger))({ ...response, whatever: 1 })).toBe(true)
    }),
  )
})
