import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { headerOf, talk } from '@signalbox/platform-runtime/testing/raw-client'
import { ok, startBalancer } from '../testing/running-balancer.ts'

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

/** Opens connections that all send `text` and then nothing more. */
async function openConnections(url: string, count: number, text: string | Buffer): Promise<Socket[]> {
  const { hostname, port } = new URL(url)
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(100, count - sockets.length) }, () => {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {})
      if (text.length > 0) socket.write(text)
      return socket
    })
    await Promise.all(some.map(socket => once(socket, 'connect')))
    sockets.push(...some)
  }
  return sockets
}

it('4,096 connections with unfinished requests do not lock out new or connected clients', async () => {
  await using balancer = await startBalancer(() => ok)
  const { hostname, port } = new URL(balancer.url)
  const honest = connect(Number(port), hostname)
  honest.write(get)
  await once(honest, 'data')
  const sockets = await openConnections(balancer.url, 4096, 'GET / HTTP/1.1\r\nHo')
  const { responses } = await talk(balancer.url, get)
  expect(responses.map(({ status }) => status)).toEqual([200])
  honest.write(get)
  expect(String(await once(honest, 'data'))).toMatch(/^HTTP\/1\.1 200 /)
  for (const socket of [...sockets, honest]) socket.destroy()
})

it('unfinished request bodies are refused when they take more than 256 MB in total', async () => {
  await using balancer = await startBalancer(() => ok)
  const half = Buffer.concat([
    Buffer.from('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1048576\r\n\r\n'),
    Buffer.alloc(1_000_000, 'a'),
  ])
  const refused = new Set<Socket>()
  const sockets: Socket[] = []
  while (sockets.length < 300) {
    const some = await openConnections(balancer.url, 30, half)
    for (const socket of some) {
      socket.on('data', data => {
        // The refused connections are the newest ones or, on a slow machine, those that took longer than five seconds.
        if (/^HTTP\/1\.1 (?:503|408) /.test(String(data))) refused.add(socket)
      })
    }
    sockets.push(...some)
  }
  while (refused.size < 300 - 256) await delay(10)
  const { responses } = await talk(balancer.url, get)
  expect(responses[0]!.status).toBe(200)
  for (const socket of sockets) socket.destroy()
})

it('a client gets 429 with a Retry-After header when its address has sent too many requests', async () => {
  await using balancer = await startBalancer(() => ok, { limits: { requests: 1, window: 3600 } })
  const { responses } = await talk(balancer.url, get.repeat(2), { responses: 2 })
  expect(responses.map(({ status }) => status)).toEqual([200, 429])
  expect(Number(headerOf(responses[1]!, 'retry-after'))).toBeGreaterThan(3500)
})
