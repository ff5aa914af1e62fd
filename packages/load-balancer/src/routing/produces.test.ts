import { describe, expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { openapi } from '@signalbox/load-balancer/openapi'
import * as t from 'io-ts'
import { headerModes } from '../../fixtures/header-modes.ts'
import { get, group, json, loadBalancer, produces, text } from '../index.ts'
import { exchange, httpEvent } from '../testing/index.ts'

const table = produces('application/json', 'text/csv')
const routes = [
  get('/report', { guard: table, returns: { 200: t.array(t.string) } }, ({ answerType }) =>
    answerType === 'text/csv' ? text('a;b', { headers: { 'content-type': answerType } }) : json(['a', 'b']),
  ),
  group('/group', [table], ({ get }) => [get('/report', ({ answerType }) => text(answerType))]),
]

describe.each(headerModes)('produces() with %s', (_headers, multiValue) => {
  const handler = signalbox(loadBalancer(routes))
  const ask = (accept: string | undefined, path = '/report') =>
    exchange(
      handler,
      httpEvent('GET', path, { multiValue, ...(accept === undefined ? {} : { headers: { accept } }) }),
    )

  it.each([
    [undefined, 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['text/csv', 'text/csv'],
    ['TEXT/CSV;header=present', 'text/csv'],
    ['text/*', 'text/csv'],
    ['text/html, text/*;q=0.5, application/json;q=0.4', 'text/csv'],
    ['application/json;q=0.1, */*;q=0.2', 'text/csv'],
    ['text/csv;q=0, */*', 'application/json; charset=utf-8'],
  ])('answers the Accept header %p with %s', async (accept, type) => {
    const { status, header } = await ask(accept)
    expect([status, header('content-type')]).toEqual([200, [type]])
  })

  it.each([
    ['text/html', 'text/html'],
    ['application/json;q=0', 'application/json;q=0'],
    ['nonsense', 'nonsense'],
    [', ,', ', ,'],
    ['with a thousand types', `${'a/b,'.repeat(1000)}text/csv`],
  ])('answers 406 to the Accept header %s', async (_, accept) => {
    const { status, json } = await ask(accept)
    expect([status, (json as { detail: string }).detail]).toEqual([
      406,
      'The answer is application/json or text/csv',
    ])
  })

  it('can be one of the middlewares of a group', async () => {
    expect((await ask('text/csv', '/group/report')).text).toBe('text/csv')
    expect((await ask('image/png', '/group/report')).status).toBe(406)
  })
})

it('the OpenAPI document lists each media type of produces(), and the status 406', () => {
  const { paths } = openapi(routes, { info: { title: 'Reports', version: '1' } })
  expect(paths['/report']!.get!.responses).toMatchObject({
    200: { content: { 'application/json': { schema: { type: 'array' } }, 'text/csv': { schema: {} } } },
    406: { description: 'Not Acceptable' },
  })
})

it('produces() refuses invalid media types', () => {
  for (const types of [[], ['json'], ['text/csv, a/b'], ['*/*']]) {
    expect(() => produces(...(types as unknown as ['a/b']))).toThrow('produces() takes media types')
  }
})
