import { describe, expect, it, jest } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { headerModes } from '../../fixtures/header-modes.ts'
import { get, loadBalancer } from '../index.ts'
import { exchange, httpEvent } from '../testing/index.ts'
import { httpVerdict } from './index.ts'

const whole = { statusCode: 200, statusDescription: '200 OK', isBase64Encoded: false, body: '' }

/** Returns the answer of a route, and the lines that were logged. */
async function answerOf(answer: object, multiValue: boolean) {
  const log: string[] = []
  const plugin = loadBalancer([get('/', () => answer as never)], { log: line => log.push(line) })
  const { status } = await exchange(signalbox(plugin), httpEvent('GET', '/', { multiValue }))
  return { status, log: log.join('\n') }
}

describe.each(headerModes)('an answer in the format of another service, with %s', (_headers, multiValue) => {
  const verdict = (answer: object) =>
    httpVerdict(JSON.stringify({ ...whole, ...answer }), httpEvent('GET', '/', { multiValue }))

  it('is refused for its list of cookies, which would be lost', async () => {
    const headers = { headers: { a: 'b' }, multiValueHeaders: { a: ['b'] } }
    const hint = '/cookies: expected cookies in set-cookie headers, since cookies is a field of API Gateway'
    expect(verdict({ ...headers, cookies: ['a=1'] })).toMatchObject({
      kind: 'malformed',
      why: expect.stringContaining(hint),
    })
    expect(verdict({ ...headers, cookies: [] })).toMatchObject({ kind: 'answered' })
    const refused = await answerOf({ statusCode: 200, cookies: ['a=1', 'b=2'] }, multiValue)
    expect(refused).toEqual({ status: 500, log: expect.stringContaining(hint) })
    expect(await answerOf({ statusCode: 200, cookies: [] }, multiValue)).toMatchObject({ status: 200 })
  })

  it('is refused by the load balancer if it has only the headers of the other mode', () => {
    const [own, other] = multiValue ? ['multiValueHeaders', 'headers'] : ['headers', 'multiValueHeaders']
    const filled = { headers: { link: '<a>' }, multiValueHeaders: { link: ['<a>'] } }
    expect(verdict({ [other]: filled[other as 'headers'] })).toMatchObject({
      kind: 'malformed',
      problems: [{ pointer: `/${own}`, actual: `nothing, and ${other} beside it` }],
    })
    expect(verdict({ [own]: {}, [other]: filled[other as 'headers'] })).toMatchObject({ kind: 'answered' })
    if (!multiValue) expect(verdict({ [other]: {} })).toMatchObject({ kind: 'answered' })
  })

  it('is refused with the same hint by a route or a hook, unless its headers are in `headers`', async () => {
    const answer = { statusCode: 200, multiValueHeaders: { link: ['<a>'] } }
    const hint = '/headers: expected the headers here, since the target group has multi-value headers off'
    const refused = { status: 500, log: expect.stringContaining(hint) }
    expect(await answerOf(answer, multiValue)).toEqual(multiValue ? { status: 200, log: '' } : refused)
    const hook = signalbox(loadBalancer([get('/', () => ({ statusCode: 200 }))], { log: () => {} })).before(
      () => answer,
    )
    const { status } = await exchange(hook, httpEvent('GET', '/', { multiValue }))
    expect(status).toBe(multiValue ? 200 : 500)
    expect(await answerOf({ statusCode: 200, headers: { link: '<a>' } }, multiValue)).toMatchObject({
      status: 200,
    })
    expect(await answerOf({ statusCode: 200, multiValueHeaders: {} }, multiValue)).toMatchObject({
      status: 200,
    })
  })

  it('causes a warning in development about a header that only the other map has', async () => {
    const node = jest.replaceProperty(process, 'env', { ...process.env, NODE_ENV: 'development' })
    const answer = {
      statusCode: 200,
      headers: { 'X-A': '1', 'x-single': '2' },
      multiValueHeaders: { 'x-a': ['1'], 'x-list': ['2'] },
    }
    const [lost, map] = multiValue ? ['x-single', 'multiValueHeaders'] : ['x-list', 'headers']
    const warn = jest.spyOn(console, 'warn').mockReturnValue()
    for (let i = 0; i < 2; i++) expect(await answerOf(answer, multiValue)).toEqual({ status: 200, log: '' })
    expect(warn.mock.calls).toEqual([
      [`The header "${lost}" of an answer is not sent, because it is not in ${map}`],
    ])
    warn.mockRestore()
    node.restore()
    expect(await answerOf(answer, multiValue)).toEqual({ status: 200, log: '' })
  })
})
