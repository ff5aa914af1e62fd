import { afterEach, describe, expect, it } from '@jest/globals'
import middy from '@middy/core'
import type { MailEvent } from '../contract/index.ts'
import { decideMail } from '../index.ts'
import { mailFlowNormalizer, mailFlowValidator } from '../mail-flow.ts'
import { mailEvent } from '../testing/index.ts'
import { mailActions } from './mail-actions.ts'
import { mailFlowSerializer, type SerializerOptions } from './serializer.ts'

const event = mailEvent({ recipients: ['ann@office.example', 'bob@office.example'] })
const everyone = { actions: [{ action: { type: 'DEFAULT' }, allRecipients: true }] }

/** Returns a middy stack without signalbox(). */
function stack(answer: (event: MailEvent) => unknown, options?: SerializerOptions) {
  const handler = middy({ timeoutEarlyInMillis: 0 })
    .use([mailFlowNormalizer(), mailFlowValidator(), mailFlowSerializer(options)])
    .handler(async event => answer(event))
  return (event: unknown) => handler(event as never, {} as never) as Promise<unknown>
}

describe('the mail-flow middlewares', () => {
  it('make a response from a builder, from plain data or from undefined', async () => {
    expect(await stack(event => mailActions(event).drop())(event)).toEqual({
      actions: [{ action: { type: 'DROP' }, allRecipients: true }],
    })
    expect(await stack(() => everyone)(event)).toEqual(everyone)
    expect(await stack(() => {})(event)).toEqual(everyone)
  })

  it('refuse an invalid event and an invalid response', async () => {
    await expect(stack(() => {})({ ...event, subject: 7 })).rejects.toMatchObject({
      name: 'InvalidEventError',
    })
    expect(await stack(() => {})({ ...event, subject: null })).toEqual(everyone)
    await expect(stack(() => 'DROP')(event)).rejects.toMatchObject({ name: 'InvalidResponseError' })
  })

  it('return no response in asynchronous mode', async () => {
    expect(await stack(() => everyone, { mode: 'async' })(event)).toBeUndefined()
  })

  it('refuse invalid options', () => {
    expect(() => mailFlowSerializer({ overlow: 'fallback' } as never)).toThrow('Did you mean overflow?')
    expect(() => mailFlowSerializer({ mode: 'asnyc' } as never)).toThrow('expected sync or async')
  })

  it('can wrap decideMail, although decideMail checks the response itself', async () => {
    const decide = decideMail(async (mail, actions) =>
      actions.bounce('Gone', [mail.recipients[0]!]).default(),
    )
    expect(await stack(decide)(event)).toEqual(await decide(event))
    const response = await decide(event, {}, { signal: new AbortController().signal })
    expect(response.actions).toHaveLength(2)
    await expect(decideMail(() => ({ actions: [] }))(event)).rejects.toMatchObject({
      name: 'InvalidResponseError',
    })
    expect(await decideMail(() => {}, { mode: 'async' })(event)).toBeUndefined()
    expect(() => decideMail(() => {}, { mod: 'async' } as never)).toThrow('decideMail() has no option "mod"')
  })
})

it('the README example with three middlewares and a handler works', async () => {
  const handler = middy()
    .use([mailFlowNormalizer(), mailFlowValidator(), mailFlowSerializer()])
    .handler(decideMail((mail, actions) => (mail.inbound ? actions.default() : actions.drop())))
  expect(await handler(event, { getRemainingTimeInMillis: () => 5000 } as never)).toEqual(everyone)
})

describe('warnings about a response', () => {
  const before = { node: process.env.NODE_ENV, warn: console.warn }
  afterEach(() => {
    process.env.NODE_ENV = before.node
    console.warn = before.warn
  })

  it('are printed with console.warn only in development', async () => {
    const warnings: unknown[] = []
    console.warn = (...words) => warnings.push(...words)
    const careless = stack(event => mailActions(event).drop(['ann@office.example']))
    await careless(event)
    expect(warnings).toEqual([])
    process.env.NODE_ENV = 'development'
    await careless(event)
    expect(warnings).toEqual([
      'mail-flow: No action is for "bob@office.example". The fallback action applies.',
    ])
  })

  it('are reported only once when mailFlowSerializer() wraps decideMail()', async () => {
    let told = 0
    const onWarnings = () => void told++
    const same = { actions: [{ action: { type: 'DROP' as const }, recipients: ['ann@office.example'] }] }
    const alone = decideMail(() => same, { onWarnings })
    for (const handler of [alone, alone, stack(alone, { onWarnings }), stack(() => same, { onWarnings })]) {
      told = 0
      await handler(event)
      expect(told).toBe(1)
    }
  })

  it('are reported once for each of several events that are decided at once with the same response', async () => {
    const told: unknown[] = []
    const same = { actions: [{ action: { type: 'DROP' as const }, recipients: ['ann@office.example'] }] }
    const options = { onWarnings: (_: unknown, { messageId }: MailEvent) => told.push(messageId) }
    const handler = stack(
      decideMail(async () => same, options),
      options,
    )
    await Promise.all(['1', '2', '3'].map(messageId => handler({ ...event, messageId })))
    expect(told).toEqual(['1', '2', '3'])
  })
})
