import { describe, expect, it } from '@jest/globals'
import { fromTaskEither, signalbox } from '@signalbox/core'
import { errorPayload } from '@signalbox/core/payload'
import fc from 'fast-check'
import { mailVerdict } from './contract/index.ts'
import { mailFlow } from './mail-flow.ts'
import { mailActions } from './response/mail-actions.ts'
import type { Decide, MailFlowOptions } from './response/options.ts'
import { arbitraryMailEvent, arbitraryMailResponse } from './testing/arbitrary.ts'
import { mailEvent, mailEventMutators } from './testing/index.ts'

const recipients = ['ann@office.example', 'gone@example.com']
const event = mailEvent({ recipients })
const everyone = { actions: [{ action: { type: 'DEFAULT' }, allRecipients: true }] }

describe('mailFlow', () => {
  it('returns the response of the builder', async () => {
    const handler = signalbox(
      mailFlow((mail, actions) =>
        mail.subject.includes('$$$')
          ? actions.drop()
          : actions.bounce('Left the company', ['gone@example.com']).default(),
      ),
    )
    expect(await handler(event)).toEqual({
      actions: [
        {
          action: { type: 'BOUNCE', parameters: { bounceMessage: 'Left the company' } },
          recipients: ['gone@example.com'],
        },
        { action: { type: 'DEFAULT' }, allRecipients: true },
      ],
    })
    expect(await handler(mailEvent({ subject: '$$$' }))).toEqual({
      actions: [{ action: { type: 'DROP' }, allRecipients: true }],
    })
  })

  it.each([
    ['undefined', () => {}],
    ['a promise of undefined', async () => {}],
    ['null', () => null as never],
    ['a builder without actions', (_: unknown, actions: never) => actions],
  ])('returns DEFAULT for all recipients when decide returns %s', async (_, decide) => {
    expect(await signalbox(mailFlow(decide as never))(event)).toEqual(everyone)
  })

  it.each([
    ['a plain response', () => ({ actions: [{ action: { type: 'DROP' as const }, allRecipients: true }] })],
    [
      'a promise of a plain response',
      async () => ({ actions: [{ action: { type: 'DROP' as const }, allRecipients: true }] }),
    ],
    ['a promise of the builder', async (_: unknown, actions: { drop(): never }) => actions.drop()],
    [
      'the response of the builder',
      (_: unknown, actions: { drop(): { response(): never } }) => actions.drop().response(),
    ],
    ['a Right of fp-ts', fromTaskEither(() => async () => ({ _tag: 'Right', right: drop }) as const)],
  ])('accepts %s', async (_, decide) => {
    expect(JSON.stringify(await signalbox(mailFlow(decide as never))(event))).toBe(JSON.stringify(drop))
  })

  it('returns any valid plain response unchanged', async () => {
    const inbound = arbitraryMailEvent().map(event => ({ ...event, flowDirection: 'INBOUND' as const }))
    const pairs = inbound.chain(event => fc.tuple(fc.constant(event), arbitraryMailResponse(event)))
    await fc.assert(
      fc.asyncProperty(pairs, async ([event, response]) => {
        const handler = signalbox(mailFlow(() => response, { overflow: 'fallback' }))
        expect(await handler(event)).toBe(response)
      }),
    )
  })

  it('fails when decide returns an invalid plain response', async () => {
    const handler = signalbox(mailFlow(() => ({ actions: [] })))
    await expect(handler(event)).rejects.toMatchObject({
      name: 'InvalidResponseError',
      problems: [{ pointer: '/actions' }],
    })
    const unlisted = { actions: [{ action: { type: 'DROP' as const }, recipients: ['eve@else.example'] }] }
    await expect(signalbox(mailFlow(() => unlisted))(mailEvent({ outbound: true }))).rejects.toThrow(
      'eve@else',
    )
  })

  it('fails when a middleware makes the response invalid', async () => {
    const handler = signalbox(mailFlow(() => {})).after(((request: { response: unknown }) => {
      request.response = { actions: [] }
    }) as never)
    await expect(handler(event)).rejects.toMatchObject({ name: 'InvalidResponseError' })
  })

  it('fails with the error of decide when an onError hook makes an invalid response', async () => {
    const failed = new Error('no database')
    const rescued = (response: unknown, options?: { mode: 'async' }) =>
      signalbox(
        mailFlow(() => {
          throw failed
        }, options as never),
      ).onError(request => {
        request.response = response as never
      })(event)
    for (const response of [{ statusCode: 500 }, { actions: [] }, null, undefined])
      await expect(rescued(response)).rejects.toBe(failed)
    const logged = signalbox(
      mailFlow(() => {
        throw failed
      }),
    ).onError(() => null)
    await expect(logged(event)).rejects.toBe(failed)
    const dropped = mailActions(event).drop()
    expect(await rescued(dropped)).toEqual(dropped.response())
    expect(await rescued({ statusCode: 500 }, { mode: 'async' })).toEqual({ statusCode: 500 })
  })

  it('fails when a middleware removes the response, which would deliver a dropped mail', async () => {
    const dropping = () => signalbox(mailFlow((_, actions) => actions.drop()))
    const remove = (response: null | undefined) => (request: { response: unknown }) => {
      request.response = response
    }
    const early = (request: { earlyResponse?: unknown }) => {
      request.earlyResponse = undefined
    }
    for (const handler of [
      dropping().after(remove(null) as never),
      dropping().after(remove(undefined) as never),
      dropping().after(() => null as never),
      dropping().after(async () => null as never),
      dropping().before(() => null as never),
      dropping().before(early as never),
    ])
      await expect(handler(event)).rejects.toThrow('expected the response, which a middleware has removed')
  })

  it('fails when decide adds actions and returns nothing', async () => {
    const handler = signalbox(
      mailFlow((_, actions) => {
        actions.drop()
      }),
    )
    await expect(handler(event)).rejects.toThrow('expected the builder, because it has actions: return it')
  })

  it('fails with the error that decide throws', async () => {
    for (const decide of [
      () => {
        throw new RangeError('no')
      },
      async () => {
        throw new RangeError('no')
      },
      fromTaskEither(() => async () => ({ _tag: 'Left', left: new RangeError('no') }) as const),
    ]) {
      const error = await signalbox(mailFlow(decide as Decide))(event).catch((error: unknown) => error)
      expect(error).toEqual(new RangeError('no'))
      expect(mailVerdict(errorPayload(error), event, { fallback: 'DROP' })).toMatchObject({ kind: 'failed' })
    }
  })

  it('fails with the error that the builder throws', async () => {
    const handler = signalbox(mailFlow((_, actions) => actions.drop().default()))
    await expect(handler(event)).rejects.toMatchObject({ name: 'ConflictingActionsError' })
  })

  it('normalizes the event before it calls decide', async () => {
    const handler = signalbox(
      mailFlow(({ subject, from }) => expect([subject, from]).toEqual(['', '']) as never),
    )
    const nobody = { ...event, subject: null, envelope: { ...event.envelope, mailFrom: { address: null } } }
    expect(await handler(nobody)).toEqual(everyone)
  })

  it.each(mailEventMutators)('refuses an event with $name', async ({ pointer, mutate }) => {
    const handler = signalbox(mailFlow(() => {}))
    await expect(handler(mutate(event))).rejects.toMatchObject({
      name:
        pointer === '/envelope' && !('envelope' in (mutate(event) as object))
          ? 'UnknownEventError'
          : 'InvalidEventError',
    })
  })

  it('accepts an eleventh unique action with the fallback option', async () => {
    const many = Array.from({ length: 12 }, (_, i) => `r${i}@office.example`)
    const decide: Decide = (mail, actions) => {
      for (const address of mail.recipients) actions.bounce(address, [address])
      return actions
    }
    const manyRecipients = mailEvent({ recipients: many })
    await expect(signalbox(mailFlow(decide))(manyRecipients)).rejects.toMatchObject({
      name: 'TooManyActionsError',
    })
    const warnings: unknown[] = []
    const options: MailFlowOptions = { overflow: 'fallback', onWarnings: (...told) => warnings.push(told) }
    expect((await signalbox(mailFlow(decide, options))(manyRecipients)).actions).toHaveLength(12)
    expect(warnings).toEqual([
      [[expect.objectContaining({ kind: 'overflow', recipients: many.slice(10) })], manyRecipients],
    ])
  })

  it('does not call onWarnings when there are no warnings', async () => {
    const onWarnings = () => {
      throw new Error('told')
    }
    expect(await signalbox(mailFlow(() => {}, { onWarnings }))(event)).toEqual(everyone)
  })

  it('leaves prototypes unchanged when the event has keys such as __proto__', async () => {
    const hostile = JSON.parse(
      JSON.stringify(event).replace(
        '{',
        '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"recipients":["eve@else.example"],',
      ),
    )
    const handler = signalbox(
      mailFlow((mail, actions) => {
        expect(mail).not.toHaveProperty('polluted')
        return actions.drop([...mail.recipients])
      }),
    )
    expect((await handler(hostile)).actions[0]?.recipients).toEqual(recipients)
    expect({}).not.toHaveProperty('polluted')
  })

  it('refuses `decide` unless it is a function', () => {
    expect(() => mailFlow({ mode: 'async' } as never)).toThrow(
      'expects the function decide, then the options',
    )
  })
})

const drop = { actions: [{ action: { type: 'DROP' }, allRecipients: true }] }
