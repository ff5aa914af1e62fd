import { describe, expect, it } from '@jest/globals'
import { compile, problems } from '@signalbox/codec'
import fc from 'fast-check'
import { headerModes } from '../../fixtures/header-modes.ts'
import { arbitraryHttpEvent } from '../testing/arbitrary.ts'
import { httpEvent, httpEventMutators } from '../testing/index.ts'
import { eventFields, LoadBalancerEvent } from './event.ts'
import { methods } from './methods.ts'
import { isMultiValue } from './multi-value.ts'

const accepts = compile(LoadBalancerEvent)

describe('a request event', () => {
  const rows: [row: string, required: boolean, wrong: unknown][] = [
    ['requestContext.elb.targetGroupArn | String | yes', true, null],
    ['httpMethod | String | yes | One of DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT', true, 'TRACE'],
    ['path | String | yes | HTTP request path', true, 7],
    [
      'queryStringParameters | map String to String | no | Query parameters sent by the client',
      false,
      { a: ['1'] },
    ],
    [
      'multiValueQueryStringParameters | map String to list of String | no | carries every value sent by the client',
      false,
      { a: '1' },
    ],
    ['headers | map String to String | no | HTTP headers sent by the client', false, { accept: null }],
    ['body | String | no | Request body', false, 7],
    ['isBase64Encoded | Boolean | yes | Whether `body` is Base64-encoded', true, 'true'],
    ['multiValueHeaders | map String to list of String | no | extension', false, { accept: '*/*' }],
  ]
  describe.each(headerModes)('with %s', (_headers, multiValue) => {
    it.each(rows.map(([row, ...rest]) => [row.split(' ')[0]!, row, ...rest] as const))(
      'accepts only values that the contract allows for the field %s',
      (_, row, required, wrong) => {
        const event: Record<string, unknown> = { ...httpEvent('GET', '/', { multiValue }) }
        const field = row.split(/[ .]/, 1)[0]!
        delete event[field]
        expect(accepts(event)).toBe(!required)
        expect(accepts({ ...event, [field]: null })).toBe(!required)
        expect(accepts({ ...event, [field]: wrong })).toBe(false)
      },
    )
  })

  it('has exactly the fields that this file tests', () => {
    expect(rows.map(([row]) => row.split(/[ .]/, 1)[0]).sort()).toEqual(Object.keys(eventFields).sort())
  })

  it('adds only the field multiValueHeaders to the contract', () => {
    const marked = Object.entries(eventFields).filter(([, field]) => 'extension' in field)
    expect(marked.map(([name]) => name)).toEqual(['multiValueHeaders'])
  })

  it.each([...methods])('can have the method %s', method => {
    expect(accepts(httpEvent(method, '/'))).toBe(true)
  })

  it('can have unknown fields', () => {
    fc.assert(fc.property(arbitraryHttpEvent(), event => accepts(event) && LoadBalancerEvent.is(event)))
  })

  it.each(httpEventMutators)('is refused with $name', ({ pointer, mutate }) => {
    fc.assert(
      fc.property(arbitraryHttpEvent(), event => {
        const broken = mutate(event)
        expect(accepts(broken)).toBe(false)
        const pointers = problems(LoadBalancerEvent, broken).map(problem => `${problem.pointer}/`)
        expect(pointers).not.toEqual([])
        expect(
          pointers.filter(each => !each.startsWith(`${pointer}/`) && !`${pointer}/`.startsWith(each)),
        ).toEqual([])
      }),
      { numRuns: 30 },
    )
  })
})

describe('isMultiValue', () => {
  it('returns true when an event has a multi-value map that is not null', () => {
    expect(isMultiValue({})).toBe(false)
    expect(isMultiValue({ multiValueHeaders: null, multiValueQueryStringParameters: null })).toBe(false)
    expect(isMultiValue({ multiValueHeaders: {} })).toBe(true)
    expect(isMultiValue({ multiValueQueryStringParameters: {} })).toBe(true)
  })
})
