import { client } from '@signalbox/load-balancer/client'
import * as t from 'io-ts'
import { expect, test } from 'tstyche'
import * as z from 'zod'
import { byType, get, group, json, post, produces } from '../index.ts'

const Order = t.type({ id: t.string })
const Upload = z.object({ title: z.string(), file: z.file() })

test('the media type of a body determines the type of its value', () => {
  const routes = [
    post('/orders', { body: byType({ 'application/json': Order, 'text/csv': t.string }) }, ({ body }) => {
      if (body.type === 'text/csv') expect(body.content).type.toBe<string>()
      else expect(body.content).type.toBe<{ id: string }>()
      expect(body.type).type.toBe<'application/json' | 'text/csv'>()
      return json(1)
    }),
    post('/uploads', { body: byType({ 'multipart/form-data': Upload }) }, ({ body }) => {
      expect(body.content).type.toBe<{ title: string; file: File }>()
      return json(1)
    }),
  ]
  const api = client<typeof routes>({ baseUrl: 'https://api.example.com' })
  api.post('/orders', { body: { id: 'o1' } })
  api.post('/orders', { body: 'a;b' })
  // @ts-expect-error Type 'number' is not assignable to type 'string | { id: string; }'
  api.post('/orders', { body: 7 })
})

test('produces() types answerType as a union of its media types', () => {
  const table = produces('application/json', 'text/csv')
  get('/', { guard: table }, ({ answerType }) => {
    expect(answerType).type.toBe<'application/json' | 'text/csv'>()
    return json(1)
  })
  group('/', [table], ({ get }) => [
    get('/', ({ answerType }) => {
      expect(answerType).type.toBe<'application/json' | 'text/csv'>()
      return json(1)
    }),
  ])
})
