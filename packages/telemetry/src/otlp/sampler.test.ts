import { expect, it } from '@jest/globals'
import { samplerOf } from './sampler.ts'

const sampled = (name: string | undefined, argument?: string) => {
  const sample = samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: argument }, 'test')
  const low = `${'f'.repeat(19)}4${'0'.repeat(12)}`
  const high = `${'0'.repeat(19)}c${'0'.repeat(12)}`
  return [
    sample(low, undefined),
    sample(high, undefined),
    sample(low, { isSampled: false }),
    sample(high, { isSampled: true }),
  ].map(Number)
}

it.each([
  [undefined, undefined, [1, 1, 0, 1]],
  ['always_on', undefined, [1, 1, 1, 1]],
  ['always_off', undefined, [0, 0, 0, 0]],
  ['parentbased_always_off', undefined, [0, 0, 0, 1]],
  ['traceidratio', '0.5', [1, 0, 1, 0]],
  ['parentbased_traceidratio', '0.5', [1, 0, 0, 1]],
  ['traceidratio', '0', [0, 0, 0, 0]],
  ['traceidratio', undefined, [1, 1, 1, 1]],
] as const)(
  'the sampler %s with %s decides by the id of the trace, and by its parent',
  (name, argument, expected) => {
    expect(sampled(name, argument)).toEqual(expected)
  },
)

it.each([
  [
    'jaeger_remote',
    undefined,
    'test: OTEL_TRACES_SAMPLER is "jaeger_remote", expected one of always_on, always_off, traceidratio',
  ],
  ['traceidratio', '1.5', 'test: OTEL_TRACES_SAMPLER_ARG is "1.5", expected a number from 0 to 1'],
  ['traceidratio', 'half', 'test: OTEL_TRACES_SAMPLER_ARG is "half", expected a number from 0 to 1'],
])('the sampler %s with %s is refused', (name, argument, why) => {
  expect(() => sampled(name, argument)).toThrow(why)
})
