import { describe, expect, it } from '@jest/globals'
import { httpEvent } from '../testing/index.ts'
import { maxRequestBodyBytes } from './limits.ts'
import { refusal } from './refusal.ts'

describe.each([{ multiValue: false }, { multiValue: true }])('refusal, $multiValue', mode => {
  it('rejects a WebSocket upgrade with status 400', () => {
    for (const upgrade of ['websocket', 'WebSocket', 'h2c, websocket', 'websocket ,h2c']) {
      expect(refusal(httpEvent('GET', '/', { ...mode, headers: { upgrade } }))).toMatchObject({ status: 400 })
    }
    for (const upgrade of ['h2c', 'websockets', 'my-websocket']) {
      expect(refusal(httpEvent('GET', '/', { ...mode, headers: { upgrade } }))).toBeUndefined()
    }
    const shouting = { ...httpEvent('GET', '/'), headers: { Upgrade: 'websocket' } }
    expect(refusal(shouting)).toMatchObject({ status: 400 })
  })

  it('maximum request body 1 MB', () => {
    for (const headers of [{ 'content-type': 'text/plain' }, { 'content-type': 'image/png' }]) {
      const most = Buffer.alloc(maxRequestBodyBytes, 'a')
      expect(refusal(httpEvent('POST', '/', { ...mode, headers, body: most }))).toBeUndefined()
      const more = Buffer.alloc(maxRequestBodyBytes + 1, 'a')
      expect(refusal(httpEvent('POST', '/', { ...mode, headers, body: more }))).toMatchObject({ status: 413 })
    }
    const umlauts = httpEvent('POST', '/', { ...mode, body: 'é'.repeat(maxRequestBodyBytes / 2 + 1) })
    expect(refusal(umlauts)).toMatchObject({ status: 413 })
  })

  it('passes all other requests, also without maps or body', () => {
    const event = httpEvent('GET', '/', mode)
    const bare = { ...event, body: null, ...(mode.multiValue ? {} : { headers: null }) }
    expect(refusal(bare)).toBeUndefined()
  })
})
