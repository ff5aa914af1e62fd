import { describe, expect, it } from '@jest/globals'
import { Validator } from '@seriousme/openapi-schema-validator'
import * as t from 'io-ts'
import * as z from 'zod'
import { get, json, noContent, post } from '../index.ts'
import { type OpenApiDocument, openapi } from './index.ts'

const info = { title: 'Books', version: '1.0.0' }

/** Checks a document with another implementation of the OpenAPI specification. */
async function check(document: OpenApiDocument): Promise<OpenApiDocument> {
  const copy = JSON.parse(JSON.stringify(document))
  expect(await new Validator().validate(copy)).toMatchObject({ valid: true })
  return copy
}

describe('a document of openapi()', () => {
  it('has one component for a schema that is used alone and in a list', async () => {
    const Book = z.object({ id: z.string() }).meta({ id: 'Book' })
    const Shelf = z.object({ books: z.array(Book), first: Book.optional() }).meta({ id: 'Shelf' })
    const document = await check(
      openapi(
        [
          get('/books', { returns: { 200: z.array(Book) } }, () => json([])),
          get('/books/{id}', { returns: { 200: Book } }, () => json({ id: '1' })),
          get('/shelf', { returns: { 200: Shelf } }, () => json({ books: [] })),
        ],
        { info },
      ),
    )
    const names = Object.keys(document.components!.schemas!).filter(name => name !== 'Problem')
    expect(names).toEqual(['Book', 'Shelf'])
    const answerOf = (path: string) => document.paths[path]!.get!.responses[200]!.content!['application/json']
    expect(answerOf('/books')).toEqual({
      schema: { type: 'array', items: { $ref: '#/components/schemas/Book' } },
    })
    expect(answerOf('/books/{id}')).toEqual({ schema: { $ref: '#/components/schemas/Book' } })
  })

  it('gives a number to a name inside a schema that another schema has', async () => {
    const book = (field: string) => z.object({ [field]: z.string() }).meta({ id: 'Book' })
    const routes = ['a', 'b', 'b', 'a'].map((field, i) => {
      const registry = z.object({ books: z.array(book(field)) })
      return post(`/${i}`, { body: registry }, () => noContent())
    })
    const { components } = await check(openapi(routes, { info }))
    expect(Object.keys(components!.schemas!).filter(name => name !== 'Problem')).toEqual(['Book', 'Book2'])
  })

  it('describes the parameters in unions, intersections and references', async () => {
    const Tags = z.array(z.string()).meta({ id: 'Tags' })
    const query = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a'), tag: Tags }),
      z.object({ kind: z.literal('b'), tag: Tags, page: z.string() }),
    ])
    const named = z.object({ tag: Tags.optional() }).meta({ id: 'Query' })
    const document = await check(
      openapi(
        [
          get('/union', { query }, () => json(1)),
          get('/named', { query: named }, () => json(1)),
          get('/io', { query: t.union([t.type({ a: t.string }), t.type({ b: t.string })]) }, () => json(1)),
          get('/header', { headers: t.type({ Authorization: t.string, 'X-Key': t.string }) }, () => json(1)),
        ],
        { info },
      ),
    )
    const parametersOf = (path: string) =>
      document.paths[path]!.get!.parameters!.map(({ name, required }) => `${name} ${required}`)
    expect(parametersOf('/union')).toEqual(['kind true', 'tag true', 'page false'])
    expect(parametersOf('/named')).toEqual(['tag false'])
    expect(parametersOf('/io')).toEqual(['a false', 'b false'])
    expect(parametersOf('/header')).toEqual(['X-Key true'])
    expect(document.paths['/union']!.get!.parameters![1]!.schema).toEqual({
      $ref: '#/components/schemas/Tags',
    })
    expect(document.components!.schemas!.Tags).toMatchObject({ type: 'array', items: { type: 'string' } })
  })

  it('names the field that it cannot describe', () => {
    const since = z.object({ q: z.string(), since: z.coerce.date().optional(), list: z.array(z.string()) })
    const nested = z.object({ orders: z.array(z.object({ count: z.bigint() })) })
    const of = (route: Parameters<typeof openapi>[0][number]) => () => openapi([route], { info })
    expect(of(get('/a', { query: since }, () => json(1)))).toThrow(
      'GET /a: query.since is in a schema of zod without a JSON Schema',
    )
    expect(of(post('/a', { body: nested }, () => json(1)))).toThrow(
      'POST /a: body.orders.count is in a schema',
    )
    const kinds = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a'), at: z.date() }),
      z.object({ kind: z.literal('b'), dates: z.array(z.date()) }),
    ])
    expect(of(post('/a', { body: kinds }, () => json(1)))).toThrow(
      'POST /a: body.at or POST /a: body.dates is in a schema of zod',
    )
  })
})
