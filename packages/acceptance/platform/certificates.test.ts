import { once } from 'node:events'
import { utimesSync, writeFileSync } from 'node:fs'
import { connect as connectPlain } from 'node:net'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { type Config, createPlatform } from '@signalbox/platform'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'
import { otherCertificate } from '@signalbox/platform-runtime/testing/other-certificate'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'

const clock = manualClock(1_700_000_000_000)
/** The names of the listeners, as the platform announces them. */
const listeners: readonly string[] = [
  'load balancer web',
  'queues',
  'user pools',
  'invoke',
  'mail',
  'mail submission',
  'mail submission over TLS',
  'control',
]
let folder: ReturnType<typeof temporaryFolder>
let platform: ReturnType<typeof createPlatform>
let ports: ReadonlyMap<string, number>
let written = 1_700_000_000

function write({ cert, key }: typeof certificate): void {
  written++
  for (const [name, text] of Object.entries({ cert, key })) {
    const path = join(folder.path, `${name}.pem`)
    writeFileSync(path, text)
    utimesSync(path, written, written)
  }
}

beforeAll(async () => {
  folder = temporaryFolder()
  write(certificate)
  const tls = { cert: 'cert.pem', key: 'key.pem' }
  const secure = { port: 0, tls }
  platform = createPlatform(
    {
      functions: { work: { handler: () => null } },
      loadBalancers: { web: { ...secure, function: 'work' } },
      queues: {},
      queueListener: secure,
      userPools: {},
      userPoolListener: secure,
      invoke: secure,
      mail: { ...secure, relay: 'keep', submission: { port: 0, implicitTlsPort: 0 } },
      control: secure,
      access: { identities: {} },
      dataDir: ':memory:',
    } as Config,
    { root: folder.path, clock },
  )
  ports = new Map((await platform.start()).map(({ source, url }) => [source, Number(new URL(url).port)]))
})
afterAll(async () => {
  await platform.stop()
  folder[Symbol.dispose]()
})

/** Returns the name in a listener's certificate. */
async function nameAt(source: string): Promise<unknown> {
  const port = ports.get(source)!
  const plain = connectPlain(port, '127.0.0.1')
  const usesStartTls = source.startsWith('mail') && source !== 'mail submission over TLS'
  if (usesStartTls)
    for (const command of ['EHLO client', 'STARTTLS']) {
      await once(plain, 'data')
      plain.write(`${command}\r\n`)
    }
  if (usesStartTls) await once(plain, 'data')
  const socket = connect({ socket: plain, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { CN } = socket.getPeerCertificate().subject
  socket.destroy()
  return CN
}

it('every listener starts to use a changed certificate file within ten seconds', async () => {
  expect([...ports.keys()].sort()).toEqual([...listeners].sort())
  const names = () => Promise.all(listeners.map(nameAt))
  expect(await names()).toEqual(listeners.map(() => 'localhost'))
  write(otherCertificate)
  await clock.advance(10_000)
  expect(await names()).toEqual(listeners.map(() => 'shop.example'))
})
