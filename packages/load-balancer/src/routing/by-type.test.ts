import { describe, expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { openapi } from '@signalbox/load-balancer/openapi'
import * as t from 'io-ts'
import * as v from 'valibot'
import * as z from 'zod'
import { headerModes } from '../../fixtures/header-modes.ts'
import { byType, json, loadBalancer, post } from '../index.ts'
import { exchange, httpEvent } from '../testing/index.ts'

const Order = t.type({ item: t.string, quantity: t.number })
const Form = z.object({ item: z.string(), tag: z.array(z.string()) })
const Upload = v.object({ title: v.string(), file: v.file(), more: v.optional(v.array(v.file())) })

const routes = [
  post(
    '/orders',
    {
      body: byType({
        'application/json': Order,
        'application/vnd.shop+json': Order,
        'application/x-www-form-urlencoded': Form,
        'text/csv': t.string,
        'application/pdf': z.instanceof(Uint8Array),
        'multipart/form-data': Upload,
      }),
    },
    async ({ body }) => {
      if (body.type === 'multipart/form-data') {
        const { title, file } = body.content
        return json({ type: body.type, title, name: file.name, media: file.type, text: await file.text() })
      }
      if (body.type === 'application/pdf') return json({ type: body.type, bytes: [...body.content] })
      return json({ ...body })
    },
  ),
]

describe.each(headerModes)('a byType() body with %s', (_headers, multiValue) => {
  const handler = signalbox(loadBalancer(routes))
  const send = (body: unknown, type?: string) =>
    exchange(
      handler,
      httpEvent('POST', '/orders', {
        multiValue,
        body,
        ...(type === undefined ? {} : { headers: { 'content-type': type } }),
      }),
    )
  const order = { item: 'lamp', quantity: 2 }

  it('is decoded according to its media type', async () => {
    expect((await send(order)).json).toEqual({ type: 'application/json', content: order })
    expect((await send(JSON.stringify(order), 'Application/VND.shop+json; charset=utf-8')).json).toEqual({
      type: 'application/vnd.shop+json',
      content: order,
    })
    expect((await send(new URLSearchParams('item=a&item=b&tag=c'))).json).toEqual({
      type: 'application/x-www-form-urlencoded',
      content: { item: 'b', tag: ['c'] },
    })
    expect((await send('a;b', 'text/csv')).json).toEqual({ type: 'text/csv', content: 'a;b' })
    const pdf = Uint8Array.of(0x25, 0xff, 0x00)
    expect((await send(pdf, 'application/pdf')).json).toMatchObject({ bytes: [0x25, 0xff, 0x00] })
  })

  it('has the fields and files of a multipart form', async () => {
    const form = new FormData()
    form.set('title', 'Größe')
    form.set('file', new File([Uint8Array.of(0x61, 0x0d, 0x0a)], 'a "b".txt', { type: 'text/plain' }))
    const packed = new Response(form)
    const body = new Uint8Array(await packed.arrayBuffer())
    const type = packed.headers.get('content-type')!
    expect((await send(body, type)).json).toEqual({
      type: 'multipart/form-data',
      title: 'Größe',
      name: 'a "b".txt',
      media: 'text/plain',
      text: 'a\r\n',
    })
    for (const broken of [body.subarray(0, 20), body.subarray(0, -10), new Uint8Array()]) {
      expect((await send(broken, type)).status).toBe(400)
    }
    expect((await send(body, 'multipart/form-data')).status).toBe(400)
  })

  it('is refused with the problems that the codec of its type finds', async () => {
    const problems = async (body: unknown, type?: string) =>
      ((await send(body, type)).json as { problems: { pointer: string }[] }).problems.map(
        ({ pointer }) => pointer,
      )
    expect(await problems({ item: 7, quantity: 'x' })).toEqual(['/item', '/quantity'])
    expect(await problems(new URLSearchParams('tag=a'))).toEqual(['/item'])
    expect((await send('{', 'application/json')).status).toBe(400)
  })

  it('causes a 415 that lists the accepted types when its type is not accepted', async () => {
    const { status, header, json } = await send('<a/>', 'text/xml')
    expect([status, header('accept')]).toEqual([
      415,
      [
        'application/json, application/vnd.shop+json, application/x-www-form-urlencoded, text/csv, application/pdf, multipart/form-data',
      ],
    ])
    expect(json).toMatchObject({ detail: expect.stringContaining('The body is text/xml, expected') })
  })

  it('is read as the first declared type when it has no type, and causes a 413 above the limit', async () => {
    const event = httpEvent('POST', '/orders', { multiValue, body: JSON.stringify(order) })
    const { 'content-type': _, ...headers } = (multiValue
      ? event.multiValueHeaders
      : event.headers) as object as Record<string, string>
    const bare = { ...event, [multiValue ? 'multiValueHeaders' : 'headers']: headers }
    expect((await exchange(handler, bare as never)).json).toMatchObject({ type: 'application/json' })
    const large = signalbox(
      loadBalancer([post('/', { body: byType({ 'text/csv': t.string }), bodyLimit: 2 }, () => json(1))]),
    )
    const answer = await exchange(
      large,
      httpEvent('POST', '/', { multiValue, body: 'abc', headers: { 'content-type': 'text/csv' } }),
    )
    expect(answer.status).toBe(413)
  })
})

describe('byType()', () => {
  it('lists each media type in the OpenAPI document', () => {
    const document = openapi(
      [
        post(
          '/orders',
          { body: byType({ 'application/json': Order, 'text/csv': t.string, 'application/pdf': t.unknown }) },
          () => json(1),
        ),
      ],
      { info: { title: 'Orders', version: '1' } },
    )
    expect(document.paths['/orders']!.post!.requestBody).toMatchObject({
      required: true,
      content: {
        'application/json': { schema: { type: 'object' } },
        'text/csv': { schema: { type: 'string' } },
        'application/pdf': { schema: {} },
      },
    })
  })

  it.each([
    [
      { _def: { typeName: 'ZodObject' }, parse: () => 1 },
      'it is a schema of zod before 3.24, which does not',
    ],
    [{ item: t.string }, 'write t.type({ … }) around its fields'],
    [undefined, 'such as t.type({ id: t.string })'],
  ])('refuses what is no codec: %p', (codec, hint) => {
    expect(() => byType({ 'text/csv': codec as never })).toThrow(
      `byType(): text/csv is neither a codec of io-ts nor a Standard Schema: ${hint}`,
    )
  })

  it('refuses an empty list of types, invalid media types and the route option `accepts`', () => {
    expect(() => byType({})).toThrow('byType() needs a media type')
    for (const name of ['json', 'Application/JSON', 'text/*', 'text/plain; charset=utf-8']) {
      expect(() => byType({ [name]: t.string })).toThrow('is not a media type in lower case')
    }
    const body = byType({ 'text/csv': t.string })
    expect(() => post('/', { body, accepts: ['text'] }, () => json(1))).toThrow(
      'POST / accepts ["text"], expected some of json, form, text, bytes for a whole body, and no byType()',
    )
  })
})

it('a route that accepts a stream is refused, and the error says why', () => {
  expect(() => post('/', { accepts: ['stream' as 'bytes'] }, () => json(1))).toThrow(
    'POST / accepts ["stream"], expected some of json, form, text, bytes for a whole body',
  )
})
