import { describe, expect, it } from '@jest/globals'
import { Validator } from '@seriousme/openapi-schema-validator'
import { orderSchemas } from '@signalbox/codec/fixtures/order-schemas'
import { signalbox } from '@signalbox/core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import * as t from 'io-ts'
import * as v from 'valibot'
import * as z from 'zod'
import { bearer } from '../bearer/index.ts'
import { any, del, get, group, json, loadBalancer, noContent, post, problem, type Route } from '../index.ts'
import { exchange, httpEvent } from '../testing/index.ts'
import { type OpenApiDocument, openapi } from './index.ts'

const info = { title: 'Orders', version: '1.0.0' }

const validator = new Validator()

/**
 * Checks a document with another implementation of the OpenAPI specification, and fails if that implementation refuses
 * the document.
 */
async function check(document: OpenApiDocument): Promise<OpenApiDocument> {
  const copy = JSON.parse(JSON.stringify(document))
  const result = await validator.validate(copy)
  if (!result.valid) throw new Error(JSON.stringify(result.errors))
  return JSON.parse(JSON.stringify(document))
}

const Line = t.type({ sku: t.string, count: t.Int }, 'Line')
const Order = t.type({ id: t.string, lines: t.array(Line) }, 'Order')
const Tree: t.Mixed = t.recursion('Tree', () => t.type({ children: t.array(Tree) }))
const orders = [
  get(
    '/orders/{id}',
    {
      query: t.partial({ tag: t.array(t.string), page: t.string }),
      headers: t.type({ 'x-tenant': t.string, accept: t.string }),
      cookies: t.partial({ theme: t.string }),
      returns: { 200: Order, 404: z.object({ title: z.string() }) },
      describe: { summary: 'One order', tags: ['orders'] },
    },
    ({ params }) =>
      params.id === 'none' ? problem(404) : json({ id: params.id, lines: [{ sku: 'lamp', count: 1 }] }),
  ),
  post('/orders', { body: Order, accepts: ['json', 'form'], returns: { 201: Order } }, ({ body }) =>
    json(body, { status: 201 }),
  ),
  del('/orders/{number}', { returns: { 204: null } }, () => noContent()),
  get('/files/{path+}', () => noContent()),
  any('/old', () => noContent()),
  group(
    '/admin',
    [bearer({ issuer: 'https://issuer.example', audience: 'a' }).withScopes('admin')],
    [get('/trees', { returns: { 200: Tree } }, () => json(1))],
  ),
]

describe('openapi(routes)', () => {
  it('describes parameters, bodies, answers and security', async () => {
    const document = await check(openapi(orders, { info, servers: [{ url: 'https://api.example.com' }] }))
    expect(document).toMatchObject({ openapi: '3.1.1', info, servers: [{ url: 'https://api.example.com' }] })
    expect(Object.keys(document.paths)).toEqual(['/orders/{id}', '/orders', '/files/{path}', '/admin/trees'])
    expect(document.paths['/orders/{id}']!.get).toEqual({
      operationId: 'getOrdersById',
      summary: 'One order',
      tags: ['orders'],
      parameters: [
        { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
        { name: 'tag', in: 'query', required: false, schema: { type: 'array', items: { type: 'string' } } },
        { name: 'page', in: 'query', required: false, schema: { type: 'string' } },
        { name: 'x-tenant', in: 'header', required: true, schema: { type: 'string' } },
        { name: 'theme', in: 'cookie', required: false, schema: { type: 'string' } },
      ],
      responses: {
        200: {
          description: 'OK',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
        },
        400: {
          description: 'Bad Request',
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
        404: {
          description: 'Not Found',
          content: { 'application/problem+json': { schema: expect.objectContaining({ type: 'object' }) } },
        },
      },
    })
    const order = { schema: { $ref: '#/components/schemas/Order' } }
    expect(document.paths['/orders']!.post!.requestBody).toEqual({
      required: true,
      content: { 'application/json': order, 'application/x-www-form-urlencoded': order },
    })
  })

  it('lists a path once even when routes name its parameters differently', async () => {
    const document = await check(openapi(orders, { info }))
    expect(document.paths['/orders/{id}']!.delete).toMatchObject({
      parameters: [{ name: 'id' }],
      responses: { 204: { description: 'No Content' } },
    })
  })

  it('describes the security schemes of guards', async () => {
    const document = await check(openapi(orders, { info }))
    expect(document.paths['/admin/trees']!.get).toMatchObject({
      security: [{ bearer: [] }],
      responses: { 401: {} },
    })
    expect(document.components!.securitySchemes).toEqual({
      bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    })
  })

  it('leaves out components that no route needs', async () => {
    const document = await check(openapi([get('/', { returns: {} }, () => noContent())], { info }))
    expect(document).toEqual({
      openapi: '3.1.1',
      info,
      paths: {
        '/': {
          get: { operationId: 'get', responses: { default: { description: 'The answer of the route' } } },
        },
      },
    })
  })

  it.each(orderSchemas)('describes $library schemas', async ({ Order, Page }) => {
    const schema = (unknown: object) =>
      '~standard' in unknown ? { type: 'object', required: ['id', 'lines'] } : undefined
    const document = await check(
      openapi([post('/orders', { body: Order, query: Page }, () => noContent())], {
        info,
        schema: unknown => ('jsonSchema' in unknown['~standard'] ? undefined : schema(unknown)),
      }),
    )
    const { requestBody, parameters } = document.paths['/orders']!.post!
    const accepts = new Ajv2020({ strict: false }).compile(requestBody!.content['application/json']!.schema)
    expect(accepts({ id: 'a', lines: [] })).toBe(true)
    expect(accepts({ id: 'a' })).toBe(false)
    expect(parameters!.map(({ name, required }) => [name, required])).toEqual(
      expect.arrayContaining([
        ['page', true],
        ['tag', true],
      ]),
    )
  })

  it('has one component for codecs with the same name and the same schema', async () => {
    const named = (field: string) => t.type({ [field]: t.string }, 'Named') as t.Mixed
    const document = await check(
      openapi(
        ['a', 'a', 'b'].map((field, i) => post(`/${i}`, { body: named(field) }, () => noContent())),
        { info },
      ),
    )
    const schemas = Object.keys(document.components!.schemas!).filter(name => name.startsWith('Named'))
    expect(schemas).toEqual(['Named', 'Named2'])
  })

  it('puts recursive schemas into the components', async () => {
    const Node: z.ZodType<unknown> = z.object({
      get next() {
        return Node.optional()
      },
    })
    const document = await check(
      openapi([post('/nodes', { body: Node, returns: { 200: Tree } }, () => json(1))], { info }),
    )
    const whole = { ...document, $id: 'https://example.com/document' }
    const ajv = new Ajv2020({ strict: false }).addSchema(whole)
    const body = ajv.compile({
      $ref: 'https://example.com/document#/paths/~1nodes/post/requestBody/content/application~1json/schema',
    })
    expect([body({ next: { next: {} } }), body({ next: { next: 7 } })]).toEqual([true, false])
    const answer = ajv.compile({
      $ref: 'https://example.com/document#/paths/~1nodes/post/responses/200/content/application~1json/schema',
    })
    expect([answer({ children: [{ children: [] }] }), answer({ children: [7] })]).toEqual([true, false])
  })

  it('refuses an unknown option, missing info, and a schema that has no JSON Schema', () => {
    expect(() => openapi(orders, { info, server: [] } as never)).toThrow('server')
    expect(() => openapi(orders, {} as never)).toThrow("openapi() needs info, such as { title: 'Orders'")
    expect(() => openapi([post('/a', { body: v.object({}) }, () => noContent())], { info })).toThrow(
      'POST /a: body is a schema of valibot without a JSON Schema',
    )
  })

  it('makes a valid OpenAPI document from any routes', async () => {
    const segment = fc.constantFrom('a', 'b', '{x}', '{y}', 'c-d')
    const route = fc
      .tuple(
        fc.uniqueArray(segment, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(get, post, del) as fc.Arbitrary<typeof get>,
        fc.record(
          {
            query: fc.constantFrom(t.type({ q: t.string }), z.object({ q: z.array(z.string()) })),
            body: fc.constantFrom(Order, Tree, z.object({ a: z.string() })),
            returns: fc.constantFrom({ 200: Order, 204: null }, { 404: Tree }),
          },
          { requiredKeys: [] },
        ),
      )
      .map(([path, add, input]) => add(`/${path.join('/')}`, input as never, () => noContent()) as Route)
    await fc.assert(
      fc.asyncProperty(fc.array(route, { minLength: 1, maxLength: 8 }), async routes => {
        await check(openapi(routes, { info }))
      }),
      { numRuns: 30 },
    )
  })

  it('describes the answers that real calls get', async () => {
    const document = { ...openapi(orders, { info }), $id: 'https://example.com/document' }
    const ajv = new Ajv2020({ strict: false }).addSchema(JSON.parse(JSON.stringify(document)))
    const handler = signalbox(loadBalancer(orders))
    const headers = { 'x-tenant': 't1', accept: '*/*' }
    const order = { id: 'a', lines: [] }
    const calls = [
      ['get', '/orders/{id}', httpEvent('GET', '/orders/7', { headers }), 200],
      ['get', '/orders/{id}', httpEvent('GET', '/orders/none', { headers }), 404],
      ['get', '/orders/{id}', httpEvent('GET', '/orders/7'), 400],
      ['post', '/orders', httpEvent('POST', '/orders', { body: order }), 201],
      [
        'post',
        '/orders',
        httpEvent('POST', '/orders', { body: 'a', headers: { 'content-type': 'text/plain' } }),
        415,
      ],
    ] as const
    for (const [method, path, event, status] of calls) {
      const answer = await exchange(handler, event)
      expect(answer.status).toBe(status)
      const [type] = answer.header('content-type')[0]!.split(';')
      const pointer = ['paths', path, method, 'responses', `${status}`, 'content', type!, 'schema']
      const place = pointer
        .map(key => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')))
        .join('/')
      const accepts = ajv.compile({ $ref: `https://example.com/document#/${place}` })
      expect([accepts(answer.json), accepts.errors]).toEqual([true, null])
    }
  })
})
