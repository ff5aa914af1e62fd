import { describe, expect, it } from '@jest/globals'
import { type Routes, triggerRouter } from '../index.ts'
import { customEmailSenderEvent, preAuthenticationEvent, triggerEvent } from '../testing/index.ts'

const invocation = { signal: new AbortController().signal }
const context = { requestId: 'r1' }

describe('decrypt', () => {
  const event = () => customEmailSenderEvent({ code: 'opaque' })
  const sent = (seen: unknown[]): Routes => ({
    CustomEmailSender: ({ request }) => void seen.push(request.code),
    otherwise: ({ request }) => void seen.push((request as { code?: string }).code),
  })

  it.each([
    ['a string', (code: string) => `plain ${code}`],
    ['a promise of a string', async (code: string) => `plain ${code}`],
  ])('passes the plain code to the route when it returns %s', async (_, decrypt) => {
    const seen: unknown[] = []
    const sending = event()
    const before = structuredClone(sending)
    expect(await triggerRouter(sent(seen), { decrypt })(sending, context, invocation)).toBe(sending)
    expect(seen).toEqual(['plain opaque'])
    expect(sending).toEqual(before)
  })

  it('also applies to `otherwise` for a custom sender whose event has a code', async () => {
    const seen: unknown[] = []
    const router = triggerRouter(sent(seen), { decrypt: code => `plain ${code}` })
    await router(triggerEvent('CustomSMSSender_SignUp', { code: 'sms' }), context, invocation)
    await router(
      triggerEvent('CustomEmailSender_AccountTakeOverNotification', { code: null }),
      context,
      invocation,
    )
    await router(preAuthenticationEvent({ code: 'not mine' } as never), context, invocation)
    expect(seen).toEqual(['plain sms', null, 'not mine'])
  })

  it.each<[string, unknown, string]>([
    ['bytes', Buffer.from('424242'), "and returned bytes: use Buffer.from(…).toString('utf8')"],
    ['undefined', undefined, 'and returned nothing'],
    ['a promise of a number', Promise.resolve(424242), 'and returned a number'],
  ])('must not return %s, and the error does not show the decrypted code', async (_, plain, message) => {
    const giving = triggerRouter(sent([]), { decrypt: () => plain as never })
    const error = await Promise.resolve(giving(event(), context, invocation)).catch((caught: Error) => caught)
    expect(error).toMatchObject({ code: 'INVALID_OPTION', message: expect.stringContaining(message) })
    expect((error as Error).message).not.toContain('4242')
  })

  it('is refused immediately when it is not a function', () => {
    expect(() => triggerRouter(sent([]), { decrypt: 'key' as never })).toThrow('decrypt is not a function')
  })

  it('fails the invocation when it throws or rejects', async () => {
    const failing = triggerRouter(sent([]), {
      decrypt: () => {
        throw new Error('no key')
      },
    })
    expect(() => failing(event(), context, invocation)).toThrow('no key')
  })
})
