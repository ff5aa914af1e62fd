import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import type { ListenerLimitsConfig } from '../fields/limits.ts'
import { headerOf, talk } from '../testing/raw-client.ts'
import { createServer } from './http.ts'
import { limitClients } from './limit-clients.ts'

/** Starts a server that answers 200, or 429 with the seconds to wait. */
async function limited(limits: ListenerLimitsConfig | undefined) {
  const clock = manualClock(0)
  const server = createServer({ answersHalfClosed: true })
  const admit = limitClients(server, limits, clock)
  server.on('request', (request, response) => {
    const seconds = admit(request, response)
    response.writeHead(seconds === 0 ? 200 : 429, { 'retry-after': String(seconds) })
    request.resume().on('end', () => response.end())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { readonly port: number }
  return {
    clock,
    port,
    async ask(body = '') {
      const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`
      const { responses } = await talk(`http://127.0.0.1:${port}`, head + body)
      const [response] = responses
      if (response!.status === 200) return 200
      return `${response!.status} after ${headerOf(response!, 'retry-after')}`
    },
    [Symbol.dispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

describe('limitClients()', () => {
  it('serves every request when no limits are set', async () => {
    using server = await limited(undefined)
    expect([await server.ask(), await server.ask()]).toEqual([200, 200])
  })

  it('limits the requests from one address over all its connections', async () => {
    using server = await limited({ requests: 2, window: 60 })
    expect([await server.ask(), await server.ask(), await server.ask()]).toEqual([200, 200, '429 after 30'])
    await server.clock.advance(30_000)
    expect([await server.ask(), await server.ask()]).toEqual([200, '429 after 30'])
  })

  it('limits the bytes received from one address, including those of refused requests', async () => {
    using server = await limited({ bytes: 1000 })
    expect(await server.ask('x'.repeat(2900))).toBe(200)
    expect(await server.ask('x'.repeat(1900))).toBe('429 after 2')
    expect(await server.ask()).toBe('429 after 4')
    await server.clock.advance(10_000)
    expect(await server.ask()).toBe(200)
  })

  it('limits how many connections an address can have at a time', async () => {
    using server = await limited({ connections: 1 })
    const first = connect(server.port, '127.0.0.1')
    await once(first, 'connect')
    expect(await server.ask()).toBe('429 after 1')
    const second = connect(server.port, '127.0.0.1')
    const [text] = (await once(second, 'data')) as [Buffer]
    expect(text.toString()).toMatch(/^HTTP\/1\.1 429 Too Many Requests\r\nRetry-After: 1\r\n/)
    first.destroy()
    await once(first, 'close')
    let answer: unknown
    // The server notices the end of the connection a moment later.
    while (answer !== 200) answer = await server.ask()
  })
})
