import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { type Family, type Middleware, type Plugin, signalbox, UnknownEventError } from '@signalbox/core'
import * as t from 'io-ts'
import { ownMiddlewares } from '../../fixtures/own-middlewares.ts'
import { get, json, loadBalancer } from '../index.ts'

const bells: Family = {
  name: 'bells',
  recognizes: event => typeof event === 'object' && event !== null && 'bell' in event,
  keys: [],
  correlationId: () => undefined,
  event: t.type({ bell: t.string }),
  normalize: () => undefined,
}

it.each(Object.entries(ownMiddlewares()))(
  '%s does not change the results for events that are not from a load balancer',
  async (exportName, own) => {
    const middleware: Middleware = own
    const name = exportName.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
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

it('the README has a row for every middleware', () => {
  const [, section] = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8').split(
    '\n## Middlewares\n',
  )
  const rows = [...section!.split('\n## ')[0]!.matchAll(/^\| `(\w+)\(/gm)].map(([, name]) => name)
  expect(rows.sort()).toEqual(Object.keys(ownMiddlewares()).sort())
})
