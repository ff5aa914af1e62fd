import { describe, expect, it } from '@jest/globals'
import { headerModes } from '../../fixtures/header-modes.ts'
import { httpEvent } from '../testing/index.ts'
import { maxRequestBodyBytes } from './limits.ts'
import { refusal } from './refusal.ts'

describe.each(headerModes)('refusal() with %s', (_headers, multiValue) => {
  const mode = { multiValue }

  it('rejects a WebSocket upgrade with status 400', () => {
    for (const upgrade of ['websocket', 'WebSocket', 'h2c, websocket', 'websocket ,h2c']) {
      expect(refusal(httpEvent('GET', '/', { ...mode, headers: { upgrade } }))).toEqual({
        status: 400,
        why: 'WebSockets are not supported',
      })
    }
    for (const upgrade of ['h2c', 'websockets', 'my-websocket']) {
      expect(refusal(httpEvent('GET', '/', { ...mode, headers: { upgrade } }))).toBeUndefined()
    }
    const shouting = { ...httpEvent('GET', '/'), headers: { Upgrade: 'websocket' } }
    expect(refusal(shouting)).toMatchObject({ status: 400 })
    const other = httpEvent('GET', '/', { ...mode, headers: { 'x-proto': 'websocket' } })
    expect(refusal(other)).toBeUndefined()
  })

  it('rejects a WebSocket upgrade in any value of a repeated Upgrade header', () => {
    const event = { ...httpEvent('GET', '/', { multiValue: true }) }
    expect(refusal({ ...event, multiValueHeaders: { upgrade: ['h2c', 'websocket'] } })).toMatchObject({
      status: 400,
    })
  })

  it('rejects a request body above 1 MB', () => {
    for (const headers of [{ 'content-type': 'text/plain' }, { 'content-type': 'image/png' }]) {
      const most = Buffer.alloc(maxRequestBodyBytes, 'a')
      expect(refusal(httpEvent('POST', '/', { ...mode, headers, body: most }))).toBeUndefined()
      const more = Buffer.alloc(maxRequestBodyBytes + 1, 'a')
      expect(refusal(httpEvent('POST', '/', { ...mode, headers, body: more }))).toMatchObject({ status: 413 })
    }
    const umlauts = httpEvent('POST', '/', { ...mode, body: 'é'.repeat(maxRequestBodyBytes / 2 + 1) })
    expect(refusal(umlauts)).toEqual({ status: 413, why: 'The request body is above 1 MB' })
  })

  it('accepts a GET request that has no body, even when a header map is null', () => {
    const event = httpEvent('GET', '/', mode)
    const bare = { ...event, body: null, ...(mode.multiValue ? {} : { headers: null }) }
    expect(refusal(bare)).toBeUndefined()
  })
})
