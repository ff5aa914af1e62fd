import { expect, it } from '@jest/globals'
import { exchange } from './exchange.ts'
import { httpEvent } from './http-event.ts'

it('exchange() passes the event and the result through JSON, and responds like the load balancer', async () => {
  const event = { ...httpEvent('GET', '/'), extra: undefined }
  const result = await exchange(
    seen => ({
      statusCode: 200,
      statusDescription: '200 OK',
      isBase64Encoded: false,
      headers: { 'X-A': '1' },
      body: JSON.stringify(Object.keys(seen).includes('extra')),
    }),
    event,
  )
  expect(result).toMatchObject({ status: 200, text: 'false', json: false })
  expect(result.header('x-a')).toEqual(['1'])
  expect(result.header('X-A')).toEqual(['1'])
})

it('exchange() throws an error that quotes the body when `json` is read but the body is not JSON', async () => {
  const body = async (text: string) => exchange(() => ({ ...ok, body: text }), httpEvent('GET', '/'))
  const ok = { statusCode: 200, statusDescription: '200 OK', isBase64Encoded: false }
  const [empty, page] = [await body(''), await body('<p>')]
  expect(() => empty.json).toThrow('The body of this 200 is not JSON: it is empty')
  expect(() => page.json).toThrow('The body of this 200 is not JSON: it is "<p>"')
})

it('exchange() returns 502 when the handler fails or returns nothing', async () => {
  const failing = await exchange(() => Promise.reject(new Error('no')), httpEvent('GET', '/'))
  expect(failing.verdict).toMatchObject({ kind: 'malformed', status: 502, why: 'the function failed: Error' })
  expect(() => failing.json).toThrow(
    'The body of this 502 is not JSON: it is "Bad Gateway\\n". The handler failed: Error: no',
  )
  expect(await exchange(() => undefined, httpEvent('GET', '/'))).toMatchObject({ status: 502 })
})
