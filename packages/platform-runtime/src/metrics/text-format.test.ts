import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { readMetricsText } from '../testing/prometheus-text.ts'
import { meter } from './meter.ts'
import type { Metric } from './metric.ts'
import { metricsText } from './text-format.ts'

it('metrics have their lines sorted by name, with one head for each name', () => {
  const requests = meter()
  const counter = requests.counter('b_total', 'Counts "b".')
  counter.of({ status: '2xx' })()
  requests.counter('b_total', 'Counts "b".').of({ status: '5xx' })
  const took = requests.histogram('a_seconds', 'Takes\nlong \\ short.', [0.1, 1]).of({})
  for (const value of [0.1, 0.5, 7]) took(value)
  expect(metricsText(requests.metrics())).toBe(
    [
      '# HELP a_seconds Takes\\nlong \\\\ short.',
      '# TYPE a_seconds histogram',
      'a_seconds_bucket{le="0.1"} 1',
      'a_seconds_bucket{le="1"} 2',
      'a_seconds_bucket{le="+Inf"} 3',
      'a_seconds_sum 7.6',
      'a_seconds_count 3',
      '# HELP b_total Counts "b".',
      '# TYPE b_total counter',
      'b_total{status="2xx"} 1',
      'b_total{status="5xx"} 0',
      '',
    ].join('\n'),
  )
})

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '"',
    '\\',
    '\n',
    '\\n',
    '"} 1\nfake_total 9',
    '# HELP x',
    '{a="b"}',
    '\ud800',
    '',
    ' ',
    '\r\n',
  ),
)

it('a name in a label never breaks the format, and is read as it was', () => {
  fc.assert(
    fc.property(fc.uniqueArray(hostile, { minLength: 1, maxLength: 5 }), names => {
      const metric: Metric = {
        ...{ name: 'names', help: `Names ${names.join('')}.`, type: 'gauge' },
        samples: names.map((name, value) => ({ labels: { name, other: 'x' }, value })),
      }
      const [read, ...more] = readMetricsText(metricsText([metric]))
      expect(more).toEqual([])
      expect(read!.metrics).toEqual(
        names.map((name, value) => ({
          labels: { name: name.toWellFormed(), other: 'x' },
          value: String(value),
        })),
      )
    }),
  )
})
