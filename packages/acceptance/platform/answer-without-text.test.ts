import { Readable } from 'node:stream'
import { describe, expect, it } from '@jest/globals'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { createPlatform } from '@signalbox/platform'
import { startBalancer } from '@signalbox/platform-load-balancer/testing/running-balancer'
import { mailSetup } from '@signalbox/platform-mail/testing/mail-setup'
import { queueEvent } from '@signalbox/queue/testing'
import { triggerEvent } from '@signalbox/user-pool/testing'

const answers: readonly [what: string, answer: () => unknown][] = [
  ['a big integer', () => 7n],
  ['a symbol', () => Symbol('s')],
  ['a function', () => () => 1],
  ['a stream', () => Readable.from(['a'])],
  ['an object whose toJSON() returns undefined', () => ({ toJSON: () => undefined })],
  ['an object whose toJSON() throws', () => ({ toJSON: () => BigInt('x') })],
]
const why = /^TypeError: What the function returned cannot be written as JSON: ./

describe('an invocation', () => {
  it.each(answers)(
    'fails and is logged if its answer is %s, which JSON cannot represent',
    async (_what, answer) => {
      const platform = createPlatform({
        functions: { shop: { handler: answer } },
        loadBalancers: { web: { port: 0, function: 'shop' } },
        dataDir: ':memory:',
      })
      await using _stopped = { [Symbol.asyncDispose]: platform.stop }
      const [address] = await platform.start()
      const response = await fetch(address!.url)
      expect(response.status).toBe(502)
      await response.text()
      // A trigger that fails denies the request, which is a valid answer.
      for (const event of [
        httpEvent('GET', '/'),
        queueEvent(),
        mailEvent(),
        triggerEvent('PreSignUp_SignUp'),
      ]) {
        const { verdict, failure } = await platform.invoke('shop', event)
        expect(failure).toEqual({ kind: 'threw', message: expect.stringMatching(why) })
        expect(verdict).toMatchObject({ ok: 'triggerSource' in event })
      }
      const entries = await platform.invocationLog.list()
      expect(entries).toHaveLength(5)
      for (const { failure } of entries) expect(failure?.message).toMatch(why)
    },
  )

  it('leads to the fallback of its mail rule if JSON cannot represent its answer', async () => {
    await using setup = await mailSetup(() => 7n, { inbound: { fallback: 'DROP' } })
    const id = await setup.send()
    await setup.calm()
    expect(await setup.recipientStates(id)).toEqual({ 'bob@office.example': 'dropped' })
    expect((await setup.platform.invocationLog.list()).at(-1)?.failure?.message).toMatch(why)
  })
})

it('the platform sends U+FFFD instead of a lone surrogate in a response body', async () => {
  await using setup = await startBalancer(() => ({
    statusCode: 200,
    statusDescription: '200 OK',
    isBase64Encoded: false,
    body: 'a\ud800',
  }))
  const response = await fetch(setup.url)
  expect([response.status, await response.text()]).toEqual([200, 'a\ufffd'])
})
