import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from '@jest/globals'
import { readBody } from './read-body.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

it('a body that arrives one byte at a time does not take more memory than its length', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n')
  try {
    const [request] = (await once(server, 'request')) as [IncomingMessage]
    const body = readBody(request, 1024 * 1024)
    const count = 100_000
    let arrived = 0
    const all = new Promise<void>(resolve => {
      request.on('data', (chunk: Buffer) => {
        arrived += chunk.length
        if (arrived === count) resolve()
      })
    })
    collectGarbage()
    const before = process.memoryUsage()
    for (let sent = 0; sent < count; sent += 1000) client.write('1\r\nx\r\n'.repeat(1000))
    await all
    collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    // Keeping the chunks separate would take more than ten million bytes.
    expect(heapUsed + external - before.heapUsed - before.external).toBeLessThan(3_000_000)

    client.end('0\r\n\r\n')
    expect(await body).toEqual({ bytes: Buffer.alloc(count, 'x') })
  } finally {
    client.destroy()
    server.close()
  }
})
