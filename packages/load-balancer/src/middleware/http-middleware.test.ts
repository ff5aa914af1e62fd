import { expect, it } from '@jest/globals'
import { type Family, type Middleware, type Plugin, signalbox, UnknownEventError } from '@signalbox/core'
import * as t from 'io-ts'
import { compress, cors, etag, get, json, loadBalancer, securityHeaders } from '../index.ts'

const bells: Family = {
  name: 'bells',
  recognizes: event => typeof event === 'object' && event !== null && 'bell' in event,
  keys: [],
  correlationId: () => undefined,
  event: t.type({ bell: t.string }),
  normalize: () => undefined,
}

const all: readonly (readonly [string, Middleware])[] = [
  ['cors', cors({ origins: '*', exposeHeaders: ['x-a'] })],
  ['security-headers', securityHeaders()],
  ['compress', compress({ threshold: 0 })],
  ['etag', etag()],
]

it.each(all)(
  '%s does not change the results for events that are not from a load balancer',
  async (name, middleware) => {
    const answers = new Map<string, unknown>([
      ['nothing', undefined],
      ['object', { statusCode: 200, body: 'ding' }],
    ])
    const ring: Plugin = {
      family: bells,
      middlewares: [],
      handler: ({ bell }: { bell: string }) => {
        if (bell === 'broken') throw new Error('broken')
        return answers.get(bell)
      },
    }
    const handler = signalbox(ring, loadBalancer([get('/', () => json(1))])).use(middleware)
    expect(await handler({ bell: 'nothing' })).toBeUndefined()
    expect(await handler({ bell: 'object', httpMethod: 'GET' })).toEqual({ statusCode: 200, body: 'ding' })
    await expect(handler({ bell: 'broken' })).rejects.toThrow('broken')
    for (const event of ['text', null]) await expect(handler(event)).rejects.toThrow(UnknownEventError)
    expect(middleware.name).toBe(name)
    const { before, after, onError } = middleware
    for (const hook of [before, after, onError]) expect(hook?.name ?? name).toBe(name)
  },
)
