import { expect, it } from '@jest/globals'
import { exchange } from './exchange.ts'
import { httpEvent } from './http-event.ts'

it('hands over what JSON can carry, and reads the answer as the load balancer does', async () => {
  const event = { ...httpEvent('GET', '/'), extra: undefined }
  const found = await exchange(
    seen => ({
      statusCode: 200,
      statusDescription: '200 OK',
      isBase64Encoded: false,
      headers: { 'X-A': '1' },
      body: JSON.stringify(Object.keys(seen).includes('extra')),
    }),
    event,
  )
  expect(found).toMatchObject({ status: 200, text: 'false', json: false })
  expect(found.header('x-a')).toEqual(['1'])
})

it('is a 502 when the handler fails or returns nothing', async () => {
  const failing = await exchange(() => Promise.reject(new Error('no')), httpEvent('GET', '/'))
  expect(failing.verdict).toMatchObject({ kind: 'malformed', status: 502, why: 'the function failed: Error' })
  expect(await exchange(() => undefined, httpEvent('GET', '/'))).toMatchObject({ status: 502 })
})
