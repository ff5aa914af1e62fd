import { once } from 'node:events'
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net'
import { expect, it } from '@jest/globals'
import { endConnection } from './end-connection.ts'

it('endConnection() destroys a connection that its client does not close', async () => {
  const server = createTcpServer({ allowHalfOpen: true }, socket => void socket.resume()).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const [socket] = await once(server, 'connection')
  endConnection(socket, 'bye')
  await once(socket, 'close')
  expect(client.read()?.toString()).toBe('bye')
  client.destroy()
  server.close()
})
