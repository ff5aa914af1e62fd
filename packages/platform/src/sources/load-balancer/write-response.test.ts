import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { plainResponse } from './plain-response.ts'
import { expectReading, responseWriter } from './write-response.ts'

const limit = 50
const large = { ...plainResponse(200, ''), headers: [], body: Buffer.alloc(16 * 1024 * 1024) }

it('a client that reads nothing of its answer is left, and one that waits for the next is not', async () => {
  const write = responseWriter(limit)
  const server = createServer((request, response) => {
    response.on('close', () => expectReading(request.socket, limit))
    if (request.url === '/large') write(response, large)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const begin = async (...targets: string[]) => {
    const client = connect(port, '127.0.0.1')
    const [socket] = await once(server, 'connection')
    client.write(targets.map(target => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''))
    return { client, socket }
  }
  const patient = await begin('/large', '/waits')
  patient.client.resume()
  const deaf = await begin('/large')
  deaf.client.pause()

  await once(deaf.socket, 'close')
  await delay(2 * limit)
  expect(patient.socket.destroyed).toBe(false)

  patient.client.destroy()
  deaf.client.destroy()
  server.close()
  await once(server, 'close')
})
