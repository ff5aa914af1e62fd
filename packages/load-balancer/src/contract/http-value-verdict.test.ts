import { expect, it } from '@jest/globals'
import { httpEvent } from '../testing/index.ts'
import { httpValueVerdict, httpVerdict } from './http-verdict.ts'

const event = httpEvent('GET', '/')
const ok = { statusCode: 200, statusDescription: '200 OK', isBase64Encoded: false, headers: {}, body: 'é' }

it('httpValueVerdict keeps a string body as a string, and counts its bytes', () => {
  const { body, ...verdict } = httpVerdict(JSON.stringify(ok), event)
  expect(httpValueVerdict(ok, event)).toEqual({ ...verdict, body: new Uint8Array(), text: 'é' })
  expect(verdict.headers).toContainEqual(['content-length', '2'])
})

it('httpValueVerdict returns an empty string for a response without a body', () => {
  const { body: _, ...without } = ok
  expect(httpValueVerdict(without, event)).toMatchObject({ kind: 'answered', text: '' })
})

it.each([
  ['a Base64 body', { ...ok, body: 'AAE=', isBase64Encoded: true }],
  ['an invalid Base64 body', { ...ok, body: '*', isBase64Encoded: true }],
  ['a status without content', { ...ok, statusCode: 204, statusDescription: '204 No Content' }],
  ['the error of a failed invocation', { errorMessage: 'no', errorType: 'E' }],
  ['a response that breaks the contract', { ...ok, headers: 7 }],
])('httpValueVerdict returns the same verdict as httpVerdict for %s', (_, value) => {
  const { body, ...verdict } = httpVerdict(JSON.stringify(value), event)
  expect(httpValueVerdict(value, event)).toEqual({ ...verdict, body: expect.anything() })
})

it('httpValueVerdict returns the same verdict as httpVerdict for a refused request', () => {
  const refused = httpEvent('GET', '/', { headers: { upgrade: 'websocket' } })
  expect(httpValueVerdict(ok, refused)).toEqual(httpVerdict(JSON.stringify(ok), refused))
  expect(httpValueVerdict(ok, refused).kind).toBe('refused')
})
