import { expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import fc from 'fast-check'
import { answer as arbitraryAnswer, compareSides, fuzz } from './agreement.fuzz.ts'
import { any, loadBalancer } from './index.ts'
import { serialize } from './response/serializer.ts'
import { arbitraryHttpEvent } from './testing/arbitrary.ts'
import { httpEvent } from './testing/index.ts'

const plain = { statusCode: 200, statusDescription: '200 OK', isBase64Encoded: false }

it.each([
  ['both header maps', { ...plain, headers: { link: '<a>' }, multiValueHeaders: { link: ['<a>', '<b>'] } }],
  ['several cookies', { ...plain, headers: {}, multiValueHeaders: { 'set-cookie': ['b=1', 'a=1', 'b=2'] } }],
  [
    'two spellings of set-cookie',
    { ...plain, headers: { 'set-cookie': 'a', 'Set-Cookie': 'b' }, multiValueHeaders: {} },
  ],
  [
    'the statusDescription of another status',
    { ...plain, statusCode: 404, headers: {}, multiValueHeaders: {} },
  ],
  [
    'a content-type without content',
    { ...plain, statusCode: 204, body: 'a', headers: {}, multiValueHeaders: {} },
  ],
])('the function and the load balancer make the same response from an answer with %s', (_, answer) => {
  for (const multiValue of [false, true])
    expect(compareSides(answer, httpEvent('GET', '/', { multiValue }))).toBe('the same')
})

it('the function and the load balancer make the same response from any answer, in both header modes', async () => {
  expect(await fuzz(1500)).toContain('the same')
})

it('a handler returns the serialized answer of its route, or a 500 if the answer cannot be serialized', async () => {
  let answer: unknown
  const log = () => undefined
  const handler = signalbox(loadBalancer([any('/a', () => answer as never)], { log }))
  await fc.assert(
    fc.asyncProperty(arbitraryAnswer, arbitraryHttpEvent(), async (value, event) => {
      answer = value
      const asked = { ...event, path: '/a' }
      let expected: unknown
      try {
        expected = serialize(value, asked)
      } catch {
        expected = expect.objectContaining({ statusCode: 500 })
      }
      expect(await handler(asked, {})).toEqual(expected)
    }),
    // The map that no mode of this event reads is not a map.
    { numRuns: 500, examples: [[{ ...plain, multiValueHeaders: 0, body: '' }, httpEvent('GET', '/a')]] },
  )
})
