import { describe, expect, it } from '@jest/globals'
import { mistakes } from './testing/mistakes.ts'

describe('answers to a load balancer', () => {
  const typed = (answer: string, before = '') => `
    import type { ALBEvent, ALBResult } from 'aws-lambda'
    export const handler = async (event: ALBEvent): Promise<ALBResult> => {
      ${before}
      return ${answer}
    }`

  it.each([
    [`{ statusCode: '200', body: 'a' }`, 'response.statusCode'],
    [`{ body: 'a' }`, 'response.statusCode'],
    [`{ statusCode: 200, body: { a: 1 } }`, 'response.body'],
    [`{ statusCode: 200, headers: { 'content-length': 1 } }`, 'response.headers'],
    [`{ statusCode: 200, headers: { 'Set-Cookie': ['a=1', 'b=2'] } }`, 'response.headers'],
    [
      `{ statusCode: 200, headers: { 'Set-Cookie': ['a=1', 'b=2'].join(', ') } }`,
      'response.multiValueHeaders',
    ],
    [`{ statusCode: 200, multiValueHeaders: { 'set-cookie': 'a=1' } }`, 'response.multiValueHeaders'],
    [`{ statusCode: 200, cookies: ['a=1'] }`, 'verdict.cookies'],
    [
      `{ statusCode: 200, headers: { a: 'b' }, multiValueHeaders: { 'Set-Cookie': ['a=1'] } }`,
      'verdict.both-header-maps',
    ],
  ])('finds %s', (answer, row) => {
    expect(mistakes(typed(answer), 'ts')).toEqual([`load-balancer-response 5 load-balancer.md#${row}`])
  })

  it('finds two mistakes of one answer', () => {
    const answer = `{ headers: { a: 'b' }, multiValueHeaders: { 'set-cookie': ['a=1'] } }`
    expect(mistakes(typed(answer), 'ts')).toEqual(
      ['response.statusCode', 'verdict.both-header-maps'].map(
        row => `load-balancer-response 5 load-balancer.md#${row}`,
      ),
    )
  })

  it('finds headers in the map that the mode ignores', () => {
    const read = 'const host = event.multiValueHeaders.host'
    const answer = `{ statusCode: 200, headers: { 'set-cookie': 'a=1' } }`
    const row = 'load-balancer-response 5 load-balancer.md#verdict.other-header-map'
    expect(mistakes(typed(answer, read), 'ts')).toEqual([row])
    expect(mistakes(typed(answer, `${read} ?? event.headers.host`), 'ts')).toEqual([])
    expect(mistakes(typed(answer), 'ts')).toEqual([])
    const both = `if (a) return { statusCode: 200, multiValueHeaders: { 'set-cookie': ['a=1'] } }`
    expect(mistakes(typed(answer, `${read}; ${both}`), 'ts')).toEqual([])
  })

  it.each([
    `{ statusCode: 200, body: JSON.stringify(event) }`,
    `{ statusCode, headers, body }`,
    `{ ...base, body: text }`,
    `{ statusCode: 204, body: null }`,
    `{ statusCode: 200, headers: { 'set-cookie': ['session=' + id, 'HttpOnly', 'Path=/'].join('; ') } }`,
    `{ statusCode: 302, headers: { location: url, 'set-cookie': \`a=\${id}\` }, body: '' }`,
  ])('says nothing about %s', answer => {
    expect(mistakes(typed(answer), 'ts')).toEqual([])
  })

  it('says nothing about handlers of an API gateway, or of both', () => {
    const answer = `{ statusCode: '200', cookies: ['a=1'] }`
    expect(mistakes(`exports.handler = async event => (${answer})`)).toEqual([])
    const both = `exports.handler = async event => { if (event.requestContext.elb) log(event); return ${answer} }`
    expect(mistakes(both)).toEqual([])
  })
})
