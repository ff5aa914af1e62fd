import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { systemClock } from '@signalbox/core'
import { type MemoryBudget, memoryBudget } from '@signalbox/platform-runtime/listener'
import { type PlainResponse, plainResponse } from './plain-response.ts'
import { expectReading, send } from './write-response.ts'

const size = 16 * 1024 * 1024
const large = { ...plainResponse(200, ''), headers: [], body: Buffer.alloc(size) }

interface Asking {
  readonly limit?: number
  readonly response?: PlainResponse
  readonly memory?: MemoryBudget
}

/** Opens a client that requests a large response and then another response, which never comes. */
async function asking({ limit, response: answer = large, memory = memoryBudget(systemClock) }: Asking = {}) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  client.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\nGET /never HTTP/1.1\r\nHost: a\r\n\r\n')
  const [request, response] = (await once(server, 'request')) as [{ socket: typeof client }, ServerResponse]
  const done = once(response, 'close')
  send(response, answer, memory, limit)
  return {
    client,
    socket: request.socket,
    done,
    [Symbol.dispose]() {
      client.destroy()
      server.close()
    },
  }
}

it('a client that does not read its response is disconnected', async () => {
  using deaf = await asking({ limit: 50 })
  await once(deaf.socket, 'close')
})

it.each([
  ['bytes', large],
  ['text', { ...large, body: new Uint8Array(), text: 'x'.repeat(size) }],
])(
  'a client is disconnected when no memory is left for its unread response (%s)',
  async (_case, response) => {
    using deaf = await asking({ response, memory: memoryBudget(systemClock, size / 2) })
    await once(deaf.socket, 'close')
  },
)

it('a client that has read its response stays connected', async () => {
  using patient = await asking()
  while (!patient.socket.timeout) await delay(1)
  expect(patient.socket.timeout).toBe(60_000)
  patient.client.resume()
  await patient.done
  expectReading(patient.socket)
  expect(patient.socket.timeout).toBe(0)
})
