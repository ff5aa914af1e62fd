import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { limitConnections } from './limit-connections.ts'

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
const answering: RequestListener = (_request, response) => void response.end('ok')

/** Starts a server that accepts few connections. Each client has its own address. */
async function places(limit: number, serve: RequestListener = answering) {
  let time = 1_000_000
  let looks = 0
  const server = createServer(serve)
  server.on('connection', socket => {
    const { _writableState: state } = socket as Socket & { readonly _writableState: { length: number } }
    Object.defineProperty(socket, 'writableLength', {
      get() {
        looks++
        return state.length
      },
    })
  })
  limitConnections(server, 'HTTP/1.1 503 Full\r\n\r\n', { now: () => time }, limit)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const clients: Socket[] = []
  return {
    /** Returns how often the server has checked whether a client reads its data. */
    looks: () => looks,
    pass: (milliseconds: number) => {
      time += milliseconds
    },
    async enter(address: number, text = '') {
      const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${address}` })
      let received = ''
      socket.on('error', () => {})
      socket.on('data', data => {
        received += data
      })
      const closed = new Promise(resolve => socket.once('close', resolve))
      clients.push(socket)
      const noticed = once(server, 'connection')
      await once(socket, 'connect')
      const [served] = (await noticed) as [Socket]
      if (text !== '') socket.write(text)
      while (served.bytesRead < text.length && !served.destroyed) await delay(1)
      return {
        socket,
        received: () => received,
        /** Whether the server keeps the connection, which it decides when the client or another one connects. */
        isOpen: () => !served.destroyed && !served.writableEnded,
        /** Returns what a client has received when its connection is closed. */
        async refusal() {
          await closed
          return received
        },
        async ask() {
          const before = received.length
          socket.write(get)
          while (received.length === before) await delay(1)
        },
      }
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.destroy()
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

it('a client that has sent no request is closed before a client that has sent one', async () => {
  await using server = await places(3)
  const honest = await server.enter(2)
  await honest.ask()
  const silent = await server.enter(3)
  const half = await server.enter(4, 'GET / HT')
  server.pass(5000)
  const first = await server.enter(5)
  await first.ask()
  expect([honest, silent, half].map(each => each.isOpen())).toEqual([true, false, true])
  const second = await server.enter(6)
  await second.ask()
  expect([honest, half].map(each => each.isOpen())).toEqual([true, false])
  await honest.ask()
})

it('a client that stops in the middle of a body is closed before a client that is being served', async () => {
  await using server = await places(2, request => void request.resume())
  const post = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n'
  const half = await server.enter(2, `${post}abc`)
  const whole = await server.enter(3, `${post}abcdefghi`)
  server.pass(5000)
  await server.enter(4, get)
  expect([half, whole].map(each => each.isOpen())).toEqual([false, true])
  expect(await (await server.enter(5, get)).refusal()).toMatch(/^HTTP\/1\.1 503 Full/)
  expect(whole.isOpen()).toBe(true)
})

it('the client that has been idle longest is closed first', async () => {
  await using server = await places(2)
  const [one, two] = [await server.enter(2), await server.enter(3)]
  await one.ask()
  server.pass(1)
  await two.ask()
  server.pass(1)
  await one.ask()
  await (await server.enter(4)).ask()
  expect([one, two].map(each => each.isOpen())).toEqual([true, false])
})

it('the oldest new client is closed when there are more new clients than served ones', async () => {
  await using server = await places(3)
  const served = await server.enter(2)
  await served.ask()
  const newClients = [await server.enter(3), await server.enter(4)]
  server.pass(1)
  await server.enter(5)
  expect([served, ...newClients].map(each => each.isOpen())).toEqual([true, false, true])
})

it('the client that has been idle longest is closed when there are more idle clients than new ones', async () => {
  await using server = await places(3)
  const idleClients = [await server.enter(2), await server.enter(3)]
  for (const each of idleClients) {
    await each.ask()
    server.pass(1)
  }
  const fresh = await server.enter(4)
  await server.enter(5)
  expect([fresh, ...idleClients].map(each => each.isOpen())).toEqual([true, false, true])
})

it('when a new client has to be closed, it is one from the address with the most connections', async () => {
  await using server = await places(4)
  const single = await server.enter(2)
  const many = [await server.enter(3), await server.enter(3), await server.enter(3)]
  for (let i = 0; i < 4; i++) many.push(await server.enter(3))
  expect(many.filter(each => each.isOpen())).toHaveLength(3)
  await single.ask()
})

it('one address cannot take all connections', async () => {
  await using server = await places(16, (request, response) => {
    if (request.socket.remoteAddress === '127.0.0.2') response.end('ok')
  })
  for (let i = 0; i < 15; i++) await server.enter(3, get)
  expect(await (await server.enter(3, get)).refusal()).toMatch(/^HTTP\/1\.1 503 Full/)
  await (await server.enter(2)).ask()
})

it('a client that does not read its response is closed', async () => {
  const large = Buffer.alloc(32 * 1024 * 1024)
  let answered = 0
  await using server = await places(2, (_request, response) => {
    response.end(large)
    answered++
  })
  const deaf = [await server.enter(2), await server.enter(3)]
  for (const { socket } of deaf) {
    socket.pause()
    socket.write(get)
  }
  while (answered < 2) await delay(1)
  // When another client connects, the server finds that these clients do not read.
  expect(await (await server.enter(4)).refusal()).toMatch(/503/)
  server.pass(5000)
  expect((await server.enter(5)).isOpen()).toBe(true)
  expect((await server.enter(6)).isOpen()).toBe(true)
  const closed = deaf.map(({ socket }) => new Promise(resolve => socket.resume().once('close', resolve)))
  await Promise.all(closed)
  for (const { received } of deaf) expect(received().length).toBeLessThan(large.length)
})

it('a new connection does not make the server check all open connections', async () => {
  await using server = await places(64)
  for (let i = 0; i < 64; i++) await server.enter(2 + (i % 2))
  const before = server.looks()
  for (let i = 0; i < 64; i++) await server.enter(2 + (i % 2))
  expect(server.looks() - before).toBeLessThanOrEqual(64 * 20)
})

it('a client stays connected when its request arrives just before its connection would be closed', async () => {
  await using server = await places(32)
  const clients: Awaited<ReturnType<typeof server.enter>>[] = []
  for (let i = 0; i < 32; i++) clients.push(await server.enter(2 + (i % 2)))
  server.pass(5000)
  await server.enter(4)
  await clients[1]!.ask()
  await server.enter(4)
  expect(clients.slice(0, 4).map(each => each.isOpen())).toEqual([false, true, true, false])
})
