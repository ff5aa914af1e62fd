import { describe, expect, it } from '@jest/globals'
import * as t from 'io-ts'
import { z } from 'zod'
import { get, group, json, loadBalancer } from '../index.ts'

const Di = t.type({ di: t.string })

describe('loadBalancer()', () => {
  it.each([
    ['a parameter that the path does not have', Di, 'has the parameters id'],
    [
      'such a parameter in an intersection',
      t.intersection([t.type({ id: t.string }), Di]),
      'has the parameters id',
    ],
  ])('refuses a codec with %s', (_, params, has) => {
    const route = get('/o/{id}', { params: params as never }, () => json(1))
    expect(() => loadBalancer([route])).toThrow(
      `GET /o/{id}: params.di is not a parameter of the path, which ${has}, so that no request would fit`,
    )
  })

  it('refuses a codec of parameters for a path without parameters', () => {
    expect(() => loadBalancer([get('/o', { params: Di as never }, () => json(1))])).toThrow(
      'GET /o: params.di is not a parameter of the path, which has no parameters',
    )
  })

  it.each<[string, t.Mixed | z.ZodType]>([
    ['fields that may be absent', t.intersection([t.type({ id: t.string }), t.partial({ di: t.string })])],
    ['a field that may be undefined', t.type({ di: t.union([t.string, t.undefined]) })],
    ['alternatives', t.union([t.type({ id: t.keyof({ a: null }) }), Di])],
    ['a field that refuses the empty text', t.type({ id: t.keyof({ a: null }) })],
    ['no known fields', t.record(t.string, t.string)],
    ['the fields of a schema of another library', z.object({ di: z.string() })],
  ])('accepts a codec with %s', (_, params) => {
    expect(() => loadBalancer([get('/o/{id}', { params: params as never }, () => json(1))])).not.toThrow()
  })

  it('accepts a codec with the parameters of a group', () => {
    const routes = [get('/{id}', { params: t.type({ id: t.string, di: t.string }) }, () => json(1))]
    expect(() => loadBalancer([group('/o/{di}', [], routes)])).not.toThrow()
  })
})
