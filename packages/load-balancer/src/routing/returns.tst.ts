import * as t from 'io-ts'
import { describe, expect, test } from 'tstyche'
import * as z from 'zod'
import { created, get, json, noContent, post, problem, text } from '../index.ts'

const Order = t.intersection([
  t.type({ id: t.string, lines: t.array(t.string) }),
  t.partial({ note: t.string }),
])
const Missing = z.object({ title: z.string(), kind: z.enum(['gone', 'never']) })
const returns = { 200: Order, 201: Order, 404: Missing, 204: null }
const lines: readonly string[] = []

describe('returns', () => {
  test('accepts the answers that it declares', () => {
    expect(get).type.toBeCallableWith('/', { returns }, () => json({ id: 'a', lines }))
    expect(get).type.toBeCallableWith('/', { returns }, async () => json({ id: 'a', lines, note: 'b' }))
    expect(get).type.toBeCallableWith('/', { returns }, () =>
      json({ title: 'a', kind: 'gone' }, { status: 404 }),
    )
    expect(get).type.toBeCallableWith('/', { returns }, () => noContent())
    expect(post).type.toBeCallableWith('/', { returns }, () => created('/a', { id: 'a', lines }))
    expect(get).type.toBeCallableWith('/', { returns }, ({ params }: { params: object }) =>
      'id' in params ? json({ id: 'a', lines }) : problem(404),
    )
  })

  test('accepts answers whose content only the run time knows', () => {
    expect(get).type.toBeCallableWith('/', { returns }, () => text('a'))
    expect(get).type.toBeCallableWith('/', { returns }, () => ({ statusCode: 200, body: '{}' }))
    expect(get).type.toBeCallableWith('/', { returns }, () => new Response())
    expect(get).type.toBeCallableWith('/', { returns: {} }, () => json(1))
  })

  test('compares values as they are sent', () => {
    const Dated = t.type({ at: t.string })
    expect(get).type.toBeCallableWith('/', { returns: { 200: Dated } }, () => json({ at: new Date() }))
    expect(get).type.not.toBeCallableWith('/', { returns: { 200: Dated } }, () => json({ at: 7 }))
  })

  test('makes an answer that differs from its declaration fail to compile', () => {
    expect(get).type.not.toBeCallableWith('/', { returns }, () => json({ id: 7, lines }))
    expect(get).type.not.toBeCallableWith('/', { returns }, async () => json({ id: 'a' }))
    expect(get).type.not.toBeCallableWith('/', { returns }, () => json({ id: 'a', lines }, { status: 404 }))
    expect(get).type.not.toBeCallableWith('/', { returns }, () => json({ id: 'a', lines }, { status: 202 }))
    expect(get).type.not.toBeCallableWith('/', { returns: { 200: Order } }, () => noContent())
    expect(post).type.not.toBeCallableWith('/', { returns }, () => created('/a', { id: 'a' }))
    expect(post).type.not.toBeCallableWith('/', { returns }, () => created('/a'))
  })
})
