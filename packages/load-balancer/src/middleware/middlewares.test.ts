import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import middy from '@middy/core'
import { InvalidEventError, signalbox } from '@signalbox/core'
import { headerModes } from '../../fixtures/header-modes.ts'
import {
  get,
  HttpError,
  json,
  loadBalancer,
  loadBalancerNormalizer,
  loadBalancerValidator,
  responseSerializer,
  router,
} from '../index.ts'
import { exchange, httpEvent } from '../testing/index.ts'

const bare = Object.assign(new Error('bare'), { stack: undefined })
const routes = [
  get('/a', ({ query }) => json(query.all('q'))),
  get('/gone', () => Promise.reject(new HttpError(410, 'gone'))),
  get('/boom', () => Promise.reject(new Error('boom'))),
  get('/bare', () => Promise.reject(bare)),
  get('/down', () => Promise.reject(new HttpError(503, 'down'))),
]

function stack() {
  const handler = middy({ timeoutEarlyInMillis: 0 })
    .use([responseSerializer(), loadBalancerNormalizer(), loadBalancerValidator()])
    .handler(router(routes))
  return handler as unknown as Parameters<typeof exchange>[0]
}

it('responseSerializer() refuses an unknown option', () => {
  expect(() => responseSerializer({ logger: console.error } as never)).toThrow('has no option "logger"')
})

describe('the HTTP middlewares in a middy stack', () => {
  const lines: unknown[] = []
  const { error } = console
  beforeEach(() => {
    console.error = (...words: unknown[]) => void lines.push(...words)
  })
  afterEach(() => {
    console.error = error
    lines.length = 0
  })

  it.each(headerModes)(
    'answer requests with %s in the same way as loadBalancer()',
    async (_headers, multiValue) => {
      const ask = (path: string) => exchange(stack(), httpEvent('GET', path, { multiValue }))
      expect((await ask('/a?q=1')).json).toEqual(['1'])
      expect(await ask('/gone')).toMatchObject({ status: 410 })
      expect(await ask('/none')).toMatchObject({ status: 404 })
    },
  )

  it('use console.error to log errors that they hide from the client', async () => {
    for (const path of ['/boom', '/bare', '/down', '/gone']) await exchange(stack(), httpEvent('GET', path))
    expect(lines).toEqual([
      expect.stringContaining('GET /boom failed: Error: boom\n    at '),
      'GET /bare failed: bare',
      expect.stringContaining('GET /down failed: HttpError: down'),
    ])
  })

  it('log an unknown response field once in development, and refuse a misspelt field', async () => {
    const { NODE_ENV } = process.env
    const odd = [
      get('/odd', () => ({ statusCode: 200, cookies: [], body: 'a' }) as never),
      get('/typo', () => ({ statusCode: 200, bodyy: 'a' }) as never),
      get('/status', () => ({ statuscode: 200 }) as never),
    ]
    const handler = signalbox(loadBalancer(odd))
    const ask = (path: string) => exchange(handler, httpEvent('GET', path))
    try {
      delete process.env.NODE_ENV
      expect(await ask('/odd')).toMatchObject({ status: 200, text: 'a' })
      expect(await ask('/typo')).toMatchObject({ status: 500 })
      expect(await ask('/status')).toMatchObject({ status: 500 })
      process.env.NODE_ENV = 'development'
      for (let i = 0; i < 2; i++) expect(await ask('/odd')).toMatchObject({ status: 200, text: 'a' })
    } finally {
      process.env.NODE_ENV = NODE_ENV
    }
    expect(lines).toEqual([
      expect.stringContaining('/bodyy: expected no such field; did you mean body?, was a field'),
      expect.stringContaining('/statuscode: expected no such field; did you mean statusCode?'),
      'GET /odd answered with cookies, a field that is not sent',
    ])
  })

  it('throw an error for an event that breaks the contract', async () => {
    const broken = { ...httpEvent('GET', '/a'), path: null }
    await expect(stack()(broken as never, {})).rejects.toBeInstanceOf(InvalidEventError)
  })
})
