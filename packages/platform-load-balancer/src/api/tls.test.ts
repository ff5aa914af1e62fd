import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'
import { otherCertificate } from '@signalbox/platform-runtime/testing/other-certificate'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { echo, type RunningBalancer, startBalancer } from '../testing/running-balancer.ts'

let folder: ReturnType<typeof temporaryFolder>
let balancer: RunningBalancer
beforeAll(async () => {
  folder = temporaryFolder()
  const files = (name: string, { cert, key }: typeof certificate) => {
    const paths = { cert: join(folder.path, `${name}.pem`), key: join(folder.path, `${name}.key`) }
    writeFileSync(paths.cert, cert)
    writeFileSync(paths.key, key)
    return paths
  }
  balancer = await startBalancer(echo, {
    tls: [files('one', certificate), files('two', otherCertificate)],
    names: ['localhost', 'shop.example'],
  })
})
afterAll(async () => {
  await balancer[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

async function get(host: string, ca: string) {
  const { port } = new URL(balancer.url)
  const sent = request({
    port,
    host: '127.0.0.1',
    servername: host,
    headers: { host },
    ca,
    path: '/a?b=1',
  }).end()
  const [response] = await once(sent, 'response')
  return { status: response.statusCode, body: await text(response) }
}

it('a load balancer selects the certificate by host name, and events have x-forwarded-proto "https"', async () => {
  expect(balancer.url).toMatch(/^https:/)
  const { body } = await get('shop.example', otherCertificate.cert)
  expect(JSON.parse(body)).toMatchObject({
    path: '/a',
    headers: { host: 'shop.example', 'x-forwarded-proto': 'https', 'x-forwarded-for': '127.0.0.1' },
  })
  expect(await get('localhost', certificate.cert)).toMatchObject({ status: 200 })
  await expect(get('localhost', otherCertificate.cert)).rejects.toThrow('self-signed certificate')
})

it('a request for an unknown host is refused, even if the TLS connection names a known host (DNS rebinding)', async () => {
  const { port } = new URL(balancer.url)
  const sent = request({
    ...{ port, host: '127.0.0.1', servername: 'localhost', ca: certificate.cert },
    headers: { host: 'evil.example' },
  }).end()
  const [response] = await once(sent, 'response')
  expect(response.statusCode).toBe(421)
  response.resume()
})

it('plain HTTP on the https port gets no answer, and does not affect other clients', async () => {
  const socket = connect(Number(new URL(balancer.url).port), '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const received = await text(socket).catch(() => '')
  expect(received).not.toContain('HTTP/1.1 200')
  expect(await get('localhost', certificate.cert)).toMatchObject({ status: 200 })
})
