import { describe, expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { headerModes } from '../../fixtures/header-modes.ts'
import { get, group, json, loadBalancer, type Method, post, text } from '../index.ts'
import { exchange, httpEvent } from '../testing/index.ts'
import { compress } from './compress.ts'
import { etag } from './etag.ts'

const routes = [
  get('/a', () => json({ a: 1 }, { headers: { 'cache-control': 'no-cache' } })),
  get('/own', () => text('own', { headers: { ETag: '"own"' } })),
  get('/gone', () => text('gone', { status: 410 })),
  get('/long', () => text('a long text '.repeat(200))),
  get('/empty', () => ({ statusCode: 200 })),
  post('/a', () => json({ a: 1 })),
]

it.each([
  ['an object', { a: 1 }],
  ['a list', [1, 2]],
  ['a number', 7],
])('the log line about a body that is %s says so, also with etag() or compress()', async (kind, body) => {
  for (const middleware of [etag(), compress({ threshold: 0 })]) {
    const logged: string[] = []
    const reply = { statusCode: 200, headers: { 'content-type': 'application/json' }, body: body as never }
    const handler = signalbox(loadBalancer([get('/', () => reply)], { log: line => logged.push(line) }))
    expect(await exchange(handler.use(middleware), httpEvent('GET', '/'))).toMatchObject({ status: 500 })
    expect(logged[0]).toContain(
      `GET / failed: TypeError: The body of the reply is ${kind}, expected text or bytes`,
    )
  }
})

describe.each(headerModes)('etag() with %s', (_headers, multiValue) => {
  const handlers = [
    signalbox(loadBalancer(routes)).use(etag()),
    signalbox(loadBalancer([group('/', [etag()], routes)])),
  ]
  const ask = (
    method: Method,
    path: string,
    headers: Record<string, string | string[]> = {},
    handler = handlers[0]!,
  ) => exchange(handler, httpEvent(method, path, { headers, multiValue }))

  it('adds an etag to GET and HEAD responses, and the same body always gets the same etag', async () => {
    for (const handler of handlers) {
      const [tag] = (await ask('GET', '/a', {}, handler)).header('etag')
      expect(tag).toMatch(/^W\/"[\w-]{27}"$/)
      expect((await ask('HEAD', '/a', {}, handler)).header('etag')).toEqual([tag])
      expect((await ask('GET', '/own', {}, handler)).header('etag')).toEqual(['"own"'])
      expect((await ask('GET', '/long', {}, handler)).header('etag')).not.toEqual([tag])
    }
  })

  it('answers 304 without a body when the client has the current etag', async () => {
    const [tag] = (await ask('GET', '/a')).header('etag')
    for (const known of [tag!, tag!.slice(2), `"x", ${tag}`, '*']) {
      for (const handler of handlers) {
        const result = await ask('GET', '/a', { 'if-none-match': known }, handler)
        expect(result).toMatchObject({ status: 304, text: '' })
        expect(result.verdict.headers).toEqual([
          ['cache-control', 'no-cache'],
          ['etag', tag],
        ])
      }
    }
    expect(await ask('GET', '/own', { 'if-none-match': 'W/"own"' })).toMatchObject({ status: 304 })
    expect(await ask('HEAD', '/own', { 'if-none-match': '"own"' })).toMatchObject({ status: 304 })
    expect(await ask('GET', '/own', { 'if-none-match': ['"own"', '"x"'] })).toMatchObject({
      status: multiValue ? 304 : 200,
    })
  })

  it('answers with the body when if-none-match does not contain the etag', async () => {
    for (const other of ['"x"', '', 'own', 'W/"x", "y"']) {
      expect(await ask('GET', '/own', { 'if-none-match': other })).toMatchObject({ status: 200, text: 'own' })
    }
  })

  it('adds no etag to a response to POST or to a response with the status 410', async () => {
    expect((await ask('POST', '/a')).header('etag')).toEqual([])
    expect((await ask('GET', '/gone')).header('etag')).toEqual([])
  })

  it('adds an etag to a response without a body', async () => {
    expect((await ask('GET', '/empty')).header('etag')).toHaveLength(1)
  })

  it('adds the same etag with and without compress()', async () => {
    const handler = signalbox(loadBalancer(routes)).use([compress(), etag()])
    const first = await ask('GET', '/long', { 'accept-encoding': 'br' }, handler)
    expect(first.header('content-encoding')).toEqual(['br'])
    const [tag] = first.header('etag')
    expect((await ask('GET', '/long', {}, handler)).header('etag')).toEqual([tag])
    const again = await ask('GET', '/long', { 'if-none-match': tag! }, handler)
    expect(again).toMatchObject({ status: 304, text: '' })
  })
})
