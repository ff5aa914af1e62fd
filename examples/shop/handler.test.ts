import { describe, expect, it } from '@jest/globals'
import { httpVerdict } from '@signalbox/load-balancer/contract'
import { type HttpEventOptions, httpEvent } from '@signalbox/load-balancer/testing'
import { handler } from './handler.ts'
import { scenes } from './scenes.ts'

describe.each([
  ['single-value headers', false],
  ['multi-value headers', true],
])('the shop, with %s', (_mode, multiValue) => {
  async function ask(method: Parameters<typeof httpEvent>[0], path: string, options: HttpEventOptions = {}) {
    const event = httpEvent(method, path, { ...options, multiValue })
    const { status, headers, body } = httpVerdict(JSON.stringify(await handler(event)), event)
    return { status, headers: Object.fromEntries(headers), body: Buffer.from(body) }
  }

  it('accepts an order, and then shows it', async () => {
    const order = { item: 'tea pot', quantity: 2 }
    const placed = await ask('POST', '/orders', { body: order })
    expect(placed.status).toBe(201)
    const found = await ask('GET', placed.headers.location!)
    expect(JSON.parse(found.body.toString())).toMatchObject(order)
    const ofItem = await ask('GET', '/orders', { query: { item: 'tea pot' } })
    expect(JSON.parse(ofItem.body.toString())).toContainEqual(JSON.parse(found.body.toString()))
    expect((await ask('GET', '/orders?item=none')).body.toString()).toBe('[]')
  })

  it('refuses an order for an item that is not in stock, and answers 404 for an unknown order', async () => {
    const order = { item: 'cup & saucer', quantity: 1 }
    expect(await ask('POST', '/orders', { body: order })).toMatchObject({ status: 409 })
    const none = { item: 'tea pot', quantity: 0 }
    expect(await ask('POST', '/orders', { body: none })).toMatchObject({ status: 409 })
    expect(await ask('GET', '/orders/none')).toMatchObject({ status: 404 })
  })

  it('responds with a receipt whose bytes arrive unchanged', async () => {
    const { headers, body } = await ask('GET', '/orders/7/receipt')
    expect(headers).toMatchObject({ 'content-type': 'application/octet-stream' })
    expect(body.subarray(-1)).toEqual(Buffer.from([0xff]))
  })

  it('signs a customer in with a form, and then accepts the session cookie', async () => {
    const form = (password: string) => ({ body: new URLSearchParams({ name: 'Ada Lovelace', password }) })
    expect(await ask('POST', '/sign-in', form('loom'))).toMatchObject({ status: 401 })
    const { status, headers } = await ask('POST', '/sign-in', form('engine & loom'))
    expect(status).toBe(303)
    const cookie = headers['set-cookie']!.split(';', 1)[0]!
    const me = await ask('GET', '/me', { headers: { cookie } })
    expect(me.body.toString()).toBe('{"name":"Ada Lovelace"}')
    expect(await ask('GET', '/me')).toMatchObject({ status: 401 })
    expect(await ask('POST', '/sign-in', { body: { name: 'Ada Lovelace' } })).toMatchObject({ status: 415 })
  })

  it('answers 401 to a request for /member without a token', async () => {
    const { status, headers } = await ask('GET', '/member')
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer'])
  })

  it('allows only the partner’s web pages to read the stock (CORS)', async () => {
    const ours = await ask('GET', '/widgets/stock/none', { headers: { origin: 'https://partner.example' } })
    expect(ours).toMatchObject({
      status: 404,
      headers: { 'access-control-allow-origin': 'https://partner.example' },
    })
    const theirs = await ask('GET', '/widgets/stock/tea%20pot', {
      headers: { origin: 'https://other.example' },
    })
    expect(theirs.status).toBe(200)
    expect(theirs.headers).not.toHaveProperty('access-control-allow-origin')
  })
})

describe('the shop demo', () => {
  it.each(scenes)('shows the expected response to $happens', async ({ event, conclude, expected }) => {
    expect(conclude(JSON.stringify(await handler(structuredClone(event))), event)).toBe(expected)
  })
})
