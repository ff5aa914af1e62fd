import { once } from 'node:events'
import { utimesSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { tlsFilesAt } from '../fields/tls-files.ts'
import { certificate } from '../testing/certificate.ts'
import { otherCertificate } from '../testing/other-certificate.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { createServer } from './http.ts'
import { withTls } from './with-tls.ts'

const plain = ({ cert, key }: typeof certificate) => ({ cert: Buffer.from(cert), key: Buffer.from(key) })

async function listening(...args: [Parameters<typeof withTls>[1], Parameters<typeof withTls>[3]?]) {
  const server = createServer({ answersHalfClosed: true }, (_request, response) => response.end('ok'))
  const [files, reload] = args
  const front = withTls(server, files, undefined, reload)
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  const { port } = front.address() as AddressInfo
  return {
    async handshake(options: object): Promise<TLSSocket> {
      const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options })
      await once(socket, 'secureConnect')
      return socket
    },
    async nameFor(servername?: string): Promise<unknown> {
      const socket = await this.handshake({ servername })
      const { CN } = socket.getPeerCertificate().subject
      socket.destroy()
      return CN
    },
    async [Symbol.asyncDispose]() {
      front.close()
      await once(front, 'close')
    },
  }
}

it('a client gets the certificate for the name that it asks for, or else the first certificate', async () => {
  await using setup = await listening([plain(certificate), plain(otherCertificate)])
  expect(await setup.nameFor('localhost')).toBe('localhost')
  expect(await setup.nameFor('shop.example')).toBe('shop.example')
  expect(await setup.nameFor('unknown.example')).toBe('localhost')
})

it('changed certificate files are read again, and unusable files are ignored', async () => {
  using folder = temporaryFolder()
  const paths = { cert: join(folder.path, 'cert.pem'), key: join(folder.path, 'key.pem') }
  let time = 1_700_000_000
  const write = (cert: string, key: string) => {
    writeFileSync(paths.cert, cert)
    writeFileSync(paths.key, key)
    time++
    for (const path of Object.values(paths)) utimesSync(path, time, time)
  }
  write(certificate.cert, certificate.key)
  const clock = manualClock(0)
  const notices: string[] = []
  await using setup = await listening(tlsFilesAt(paths), { clock, notice: text => notices.push(text) })
  expect(await setup.nameFor()).toBe('localhost')
  write(otherCertificate.cert, 'half a fil')
  await clock.advance(10_000)
  expect(await setup.nameFor()).toBe('localhost')
  expect(notices).toEqual([])
  await clock.advance(10_000)
  expect(notices.join()).toContain('Changed certificate files cannot be used')
  write(otherCertificate.cert, otherCertificate.key)
  await clock.advance(10_000)
  expect(await setup.nameFor()).toBe('shop.example')
  expect(await setup.nameFor('shop.example')).toBe('shop.example')
})

it.each([
  ['TLS 1.1', { maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' }],
  ['only HTTP/2', { ALPNProtocols: ['h2'] }],
])('a client that speaks %s is refused', async (_, options) => {
  await using setup = await listening(plain(certificate))
  await expect(setup.handshake(options)).rejects.toThrow(/alert|protocol/i)
})
