import { createHmac } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { exchange, httpEvent } from '@signalbox/load-balancer/testing'

/** The parameters that a local server returns in place of the Parameter Store. */
const parameters = new Map([
  ['/shop/currency', { Value: 'EUR', Type: 'String' }],
  ['/shop/signing-key', { Value: 'a secret of the shop', Type: 'SecureString' }],
])
const asked: unknown[] = []
let server: Server
let handler: Parameters<typeof exchange>[0]

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    const { Names: names, ...rest } = JSON.parse(text) as { readonly Names: readonly string[] }
    asked.push([request.headers['x-amz-target'], [...names].sort(), rest])
    const found = names.flatMap(Name => (parameters.has(Name) ? [{ Name, ...parameters.get(Name)! }] : []))
    response.setHeader('content-type', 'application/x-amz-json-1.1')
    response.end(
      JSON.stringify({ Parameters: found, InvalidParameters: names.filter(name => !parameters.has(name)) }),
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SSM: `http://127.0.0.1:${port}`,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'example',
    AWS_SECRET_ACCESS_KEY: 'example',
  })
  handler = (await import('./handler.ts')).handler as never
})
afterAll(() => void server.close())

describe.each([
  ['single-value headers', false],
  ['multi-value headers', true],
])('a shop with settings from the Parameter Store, with %s', (_mode, multiValue) => {
  it('uses the settings that the middleware adds to the context', async () => {
    expect((await exchange(handler, httpEvent('GET', '/prices/lamp', { multiValue }))).json).toEqual({
      item: 'lamp',
      price: 12,
      currency: 'EUR',
    })
  })

  it('signs a URL with the secret key from the settings, and does not reveal the key', async () => {
    const { status, header, text } = await exchange(handler, httpEvent('GET', '/invoices/7', { multiValue }))
    const signature = createHmac('sha256', 'a secret of the shop').update('7').digest('base64url')
    expect([status, header('location'), text]).toEqual([
      302,
      [`https://files.example.com/7.pdf?signature=${signature}`],
      '',
    ])
  })
})

it('the shop fetches its settings from the Parameter Store once instead of for each event', () => {
  expect(asked).toEqual([
    ['AmazonSSM.GetParameters', ['/shop/currency', '/shop/signing-key'], { WithDecryption: true }],
  ])
})
