import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { expect, it } from '@jest/globals'
import { certificate } from '../testing/certificate.ts'
import { createServer } from './http.ts'
import { withTls } from './with-tls.ts'

const files = { cert: Buffer.from(certificate.cert), key: Buffer.from(certificate.key) }

it('clients that never start a TLS handshake do not lock out other clients', async () => {
  const server = createServer({ answersHalfClosed: true }, (_request, response) => response.end('ok'))
  const front = withTls(server, files, 10)
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  const { port } = front.address() as AddressInfo
  const secure = async () => {
    const socket = connectTls({ port, rejectUnauthorized: false })
    await once(socket, 'secureConnect')
    return socket
  }
  const served = await secure()
  const idle = Array.from({ length: 30 }, () => connect(port).on('error', () => {}))
  await new Promise<void>(resolve => {
    let closed = 0
    for (const socket of idle) socket.on('close', () => ++closed === 20 && resolve())
  })
  const late = await secure()
  for (const socket of [served, late]) {
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 200 /)
  }
  for (const socket of [...idle, served, late]) socket.destroy()
  front.close()
  await once(front, 'close')
})
