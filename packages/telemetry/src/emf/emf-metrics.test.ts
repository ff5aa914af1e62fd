import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { invocationContext } from '@signalbox/core/testing'
import { queue } from '@signalbox/queue'
import { queueEvent } from '@signalbox/queue/testing'
import { deny, userPool } from '@signalbox/user-pool'
import { preSignUpEvent } from '@signalbox/user-pool/testing'
import fc from 'fast-check'
import { telemetry } from '../index.ts'
import { metricTable } from '../metrics.ts'
import { emfMetrics } from './emf-metrics.ts'

interface Line {
  readonly _aws: {
    readonly Timestamp: number
    readonly CloudWatchMetrics: readonly {
      readonly Namespace: string
      readonly Dimensions: readonly (readonly string[])[]
      readonly Metrics: readonly { readonly Name: string; readonly Unit: string }[]
    }[]
  }
  readonly [target: string]: unknown
}

/** Checks the rules of the format's specification, and returns the line. */
function checked(text: string): Line {
  expect(text.endsWith('\n')).toBe(true)
  expect(text.length).toBeLessThan(1_000_000)
  const line: Line = JSON.parse(text)
  const { _aws, ...targets } = line
  expect(Object.keys(_aws).sort()).toEqual(['CloudWatchMetrics', 'Timestamp'])
  expect(Number.isSafeInteger(_aws.Timestamp) && _aws.Timestamp > 0).toBe(true)
  expect(_aws.CloudWatchMetrics.length).toBeGreaterThan(0)
  const named = new Set<string>()
  for (const { Namespace, Dimensions, Metrics } of _aws.CloudWatchMetrics) {
    expect(Namespace).toMatch(/^[^:].{0,254}$/)
    for (const dimensions of Dimensions) {
      expect(dimensions.length).toBeLessThanOrEqual(30)
      for (const name of dimensions) {
        named.add(name)
        expect(name).toMatch(/^[\x21-\x7e]{1,250}$/)
        expect(typeof targets[name]).toBe('string')
        expect(String(targets[name]).length).toBeLessThanOrEqual(1024)
        expect(targets[name]).not.toBe('')
      }
    }
    expect(Metrics.length).toBeGreaterThan(0)
    expect(Metrics.length).toBeLessThanOrEqual(100)
    for (const { Name, Unit } of Metrics) {
      named.add(Name)
      expect(Name).toMatch(/^[\x21-\x7e]{1,1024}$/)
      expect(['Seconds', 'Count']).toContain(Unit)
      const values = [targets[Name]].flat()
      expect(values.length).toBeGreaterThan(0)
      expect(values.length).toBeLessThanOrEqual(100)
      for (const value of values) expect(Number.isFinite(value)).toBe(true)
    }
  }
  expect([...named].sort()).toEqual(Object.keys(targets).sort())
  return line
}

describe("telemetry({ export: 'emf' })", () => {
  const written: string[] = []
  let restore = () => {}
  beforeEach(() => {
    const write = jest
      .spyOn(process.stdout, 'write')
      .mockImplementation(text => written.push(String(text)) > 0)
    restore = () => write.mockRestore()
    process.env.AWS_LAMBDA_FUNCTION_NAME = 'shop'
  })
  afterEach(() => {
    restore()
    written.length = 0
    delete process.env.AWS_LAMBDA_FUNCTION_NAME
    delete process.env.SIGNALBOX_METRICS_NAMESPACE
  })

  it('writes the metrics of each invocation as lines of the embedded metric format', async () => {
    process.env.SIGNALBOX_METRICS_NAMESPACE = 'Shop'
    const handler = signalbox(
      queue({
        log: () => {},
        onMessage({ body }) {
          if (body === 'bad') throw new RangeError('hunter2')
        },
      }),
    ).use(telemetry({ export: 'emf' }))
    const began = Date.now()
    await handler(queueEvent({ bodies: ['good', 'good', 'bad'] }), invocationContext())
    restore()
    const lines = written.map(checked)
    const of = (name: string) => lines.filter(line => name in line)
    expect(of('faas.invocations')).toMatchObject([
      {
        'faas.name': 'shop',
        'faas.trigger': 'pubsub',
        'faas.invocations': 1,
        'faas.invoke_duration': expect.any(Number),
      },
    ])
    expect(lines[0]!._aws.Timestamp).toBeGreaterThanOrEqual(began)
    expect(lines[0]!._aws.CloudWatchMetrics[0]!.Namespace).toBe('Shop')
    const processed = of('messaging.process.duration').toSorted(
      (one, next) => Number('error.type' in one) - Number('error.type' in next),
    )
    expect(processed).toMatchObject([
      {
        'messaging.process.duration': [expect.any(Number), expect.any(Number)],
        'messaging.destination.name': 'orders',
      },
      { 'messaging.process.duration': expect.any(Number), 'error.type': 'RangeError' },
    ])
    expect(written.join('')).not.toContain('hunter2')
  })

  it('writes failures, and nothing twice', async () => {
    const pool = signalbox(userPool({ PreSignUp_SignUp: () => deny('no') })).use(telemetry({ export: 'emf' }))
    for (let at = 0; at < 2; at++) await expect(pool(preSignUpEvent(), invocationContext())).rejects.toThrow()
    restore()
    const errors = written.map(checked).filter(line => 'faas.errors' in line)
    expect(errors).toMatchObject([
      { 'faas.errors': 1, 'error.type': 'DeniedError' },
      { 'faas.errors': 1, 'error.type': 'DeniedError' },
    ])
  })
})

it('whatever is recorded, each line keeps the rules of the format, and no value is lost', () => {
  const keys = Object.keys(metricTable) as (keyof typeof metricTable)[]
  const label = fc.string({ unit: 'binary', minLength: 1, maxLength: 2000 })
  const recorded = fc.tuple(fc.constantFrom(...keys), fc.integer({ min: 1, max: 9 }), label, fc.nat(250))
  fc.assert(
    fc.property(fc.array(recorded, { maxLength: 4 }), all => {
      const lines: string[] = []
      const settings = { namespace: 'signalbox', dimensions: { 'faas.name': 'shop' } }
      const metrics = emfMetrics(
        settings,
        line => lines.push(line),
        () => 7,
      )
      let sum = 0
      for (const [key, value, text, times] of all)
        for (let at = 0; at <= times; at++) {
          metrics[key](value, { 'error.type': text })
          sum += value
        }
      metrics.flush!()
      metrics.flush!()
      const names = new Set<string>(Object.values(metricTable).map(({ name }) => name))
      const values = lines.flatMap(text =>
        Object.entries(checked(text)).flatMap(([name, value]) => (names.has(name) ? [value].flat() : [])),
      ) as number[]
      expect(values.reduce((total, value) => total + value, 0)).toBe(sum)
    }),
  )
})
