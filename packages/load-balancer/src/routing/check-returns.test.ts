import { describe, expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import * as t from 'io-ts'
import * as z from 'zod'
import { headerModes } from '../../fixtures/header-modes.ts'
import { checkReturns, get, group, HttpError, json, loadBalancer, noContent, text } from '../index.ts'
import { exchange, httpEvent } from '../testing/index.ts'

const returns = { 200: t.type({ id: t.string }), 404: z.object({ code: z.number() }), 204: null }
const answers = {
  right: () => json({ id: 'a' }),
  wrong: () => json({ id: 7 }),
  missing: () => json({ code: 7 }, { status: 404 }),
  other: () => json({ id: 'a' }, { status: 202 }),
  none: () => noContent(),
  filled: () => ({ ...text('a'), statusCode: 204 }),
  text: () => text('a'),
  thrown: () => {
    throw new HttpError(409, 'Too late')
  },
}
const routes = Object.entries(answers).map(([name, answer]) =>
  get(`/${name}`, { returns }, answer as () => never),
)

describe.each(headerModes)('checkReturns() with %s', (_headers, multiValue) => {
  const log: string[] = []
  const handlers = [
    signalbox(loadBalancer(routes, { log: line => log.push(line) })),
    signalbox(loadBalancer(routes, { log: line => log.push(line) })).use(checkReturns()),
    signalbox(loadBalancer([group('/', [checkReturns()], routes)], { log: line => log.push(line) })),
  ]

  it.each([
    ['does not change a correct reply', 'right', 200, undefined],
    ['does not change a correct 404', 'missing', 404, undefined],
    ['does not change a reply without a body', 'none', 204, undefined],
    ['does not check an error that a route throws', 'thrown', 409, undefined],
    [
      'answers 500 to a body with a wrong field',
      'wrong',
      500,
      'GET /wrong returned breaks the contract:\n/body/id: expected string, was number 7',
    ],
    [
      'answers 500 to a status that the route does not declare',
      'other',
      500,
      '/statusCode: expected one of 200, 204, 404, was number 202',
    ],
    ['answers 500 to a body that is not JSON', 'text', 500, '/body: expected JSON text, was another text'],
    ['answers 500 to a body where none is declared', 'filled', 500, '/body: expected nothing, was a body'],
  ])('%s', async (_, path, status, why) => {
    for (const handler of handlers) {
      log.length = 0
      const answer = await exchange(handler, httpEvent('GET', `/${path}`, { multiValue }))
      expect(answer.status).toBe(status)
      if (why === undefined) expect(log).toEqual([])
      else expect(log.join()).toContain(why)
    }
  })

  it('does nothing in production', async () => {
    const { NODE_ENV } = process.env
    process.env.NODE_ENV = 'production'
    try {
      expect(await exchange(handlers[0]!, httpEvent('GET', '/wrong', { multiValue }))).toMatchObject({
        status: 200,
      })
    } finally {
      process.env.NODE_ENV = NODE_ENV
    }
  })
})
