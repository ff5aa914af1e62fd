import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:http2'
import { request as httpsRequest, type RequestOptions } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createPlatform } from '@signalbox/platform'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'

// Other systems have no address 127.0.0.2.
const isLinux = process.platform === 'linux'
const onLinux = isLinux ? it : it.skip
const need = isLinux ? '' : ' (skipped: needs Linux)'

const folder = temporaryFolder()
let platform: ReturnType<typeof createPlatform>
let urls: Map<string, URL>

/** A function that serves one event at a time and counts them. */
const program = `let served = 0
export const handler = async event => {
  await new Promise(resolve => setTimeout(resolve, 20))
  served++
  return event.httpMethod === undefined
    ? served
    : { statusCode: 200, statusDescription: '200 OK', isBase64Encoded: false, body: String(served) }
}`

beforeAll(async () => {
  const path = (name: string) => join(folder.path, name)
  writeFileSync(path('shop.mjs'), program)
  const tls = { cert: path('cert.pem'), key: path('key.pem') }
  writeFileSync(tls.cert, certificate.cert)
  writeFileSync(tls.key, certificate.key)
  platform = createPlatform(
    {
      functions: { shop: { module: './shop.mjs', instances: 1 } },
      loadBalancers: { web: { port: 0, function: 'shop', tls } },
      invoke: { port: 0 },
      dataDir: ':memory:',
    },
    { root: folder.path },
  )
  urls = new Map((await platform.start()).map(({ source, url }) => [source, new URL(url)]))
})
afterAll(async () => {
  await platform.stop()
  folder[Symbol.dispose]()
})

const ca = certificate.cert

/** Sends one request from an address of this machine. Resolves to the number of events that the function has served. */
async function servedFor(
  send: typeof httpRequest | typeof httpsRequest,
  options: RequestOptions,
  body = '',
): Promise<number> {
  const sent = send({ host: '127.0.0.1', agent: false, ...options })
  sent.end(body)
  const [response] = await once(sent, 'response')
  return Number(await text(response))
}

onLinux(
  `a client of HTTP/2 with a hundred requests does not hold a function against others${need}`,
  async () => {
    const { port } = urls.get('load balancer web')!
    const ask = () => servedFor(httpsRequest, { port, path: '/', ca, servername: 'localhost' })
    const before = await ask()
    const busy = connect(`https://localhost:${port}`, {
      createConnection: () =>
        connectTls({
          ...{ host: '127.0.0.1', port: Number(port), ca, servername: 'localhost' },
          ...{ ALPNProtocols: ['h2'], localAddress: '127.0.0.2' },
        } as never),
    })
    const streams = Array.from({ length: 100 }, () => busy.request({ ':path': '/' }))
    const bodies = streams.map(stream => text(stream))
    await bodies[0]
    // An instance has at most sixteen events ahead of time.
    expect((await ask()) - before).toBeLessThan(60)
    await Promise.all(bodies)
    busy.destroy()
  },
)

onLinux(
  `a client of the Invoke API with a hundred calls does not hold a function against others${need}`,
  async () => {
    const { port } = urls.get('invoke')!
    const path = '/2015-03-31/functions/shop/invocations'
    const call = (localAddress: string) =>
      servedFor(httpRequest, { port, path, method: 'POST', localAddress }, '{}')
    const before = await call('127.0.0.1')
    const busy = Array.from({ length: 100 }, () => call('127.0.0.2'))
    await Promise.race(busy)
    expect((await call('127.0.0.1')) - before).toBeLessThan(60)
    await Promise.all(busy)
  },
)
