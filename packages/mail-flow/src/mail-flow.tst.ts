import middy from '@middy/core'
import { fromTaskEither, memoryStore, type Plugin, type SignalboxHandler, signalbox } from '@signalbox/core'
import { describe, expect, test } from 'tstyche'
import {
  decideMail,
  type Mail,
  type MailActions,
  type MailEvent,
  type MailResponse,
  mailActions,
  mailFlow,
  mailFlowNormalizer,
  mailFlowSerializer,
  mailFlowValidator,
  once,
  type ParsedMail,
  type ResponseWarning,
} from './index.ts'

declare const event: MailEvent
declare const drop: (mail: Mail) => MailResponse

describe('the result of decide', () => {
  test('may be the builder, plain data, nothing, or a promise of one of these', () => {
    expect(mailFlow((_, actions) => actions.drop())).type.toBe<Plugin<MailResponse, MailEvent>>()
    expect(mailFlow(async (_, actions) => actions.drop())).type.toBe<Plugin<MailResponse, MailEvent>>()
    expect(mailFlow((_, actions) => actions.drop().response())).type.toBe<Plugin<MailResponse, MailEvent>>()
    expect(mailFlow(() => ({ actions: [{ action: { type: 'DROP' }, allRecipients: true }] }))).type.toBe<
      Plugin<MailResponse, MailEvent>
    >()
    expect(mailFlow(() => {})).type.toBe<Plugin<MailResponse, MailEvent>>()
    expect(mailFlow(async () => {})).type.toBe<Plugin<MailResponse, MailEvent>>()
    expect(
      mailFlow((mail, actions) => {
        if (mail.inbound) return actions.drop()
        if (mail.truncated) return
        return { actions: [{ action: { type: 'BOUNCE', parameters: { bounceMessage: 'No' } } }] }
      }),
    ).type.toBe<Plugin<MailResponse, MailEvent>>()
    expect(mailFlow).type.toBeCallableWith((_: Mail): void => {})
    expect(mailFlow).type.toBeCallableWith(
      fromTaskEither((mail: Mail) => async () => ({ _tag: 'Right', right: drop(mail) }) as const),
    )
  })

  test('does not compile with a wrong type or an unknown action', () => {
    // @ts-expect-error Type 'string' is not assignable to type
    mailFlow(() => 'DROP')
    // @ts-expect-error Type '"EXPLODE"' is not assignable to type
    mailFlow(() => ({ actions: [{ action: { type: 'EXPLODE' }, allRecipients: true }] }))
    // @ts-expect-error Type 'string' is not assignable to type 'readonly string[]'
    mailFlow(() => ({ actions: [{ action: { type: 'DROP' }, recipients: 'ann@office.example' }] }))
    // @ts-expect-error Type 'number' is not assignable to type 'string'
    mailFlow(() => ({ actions: [{ action: { type: 'BOUNCE', parameters: { bounceMessage: 7 } } }] }))
  })

  test('does not compile with a misspelt field, and the error says what to write', () => {
    // @ts-expect-error Hint<"write allRecipients: true">
    mailFlow(() => ({ actions: [{ action: { type: 'DROP' }, allRecipient: true }] }))
    // @ts-expect-error Hint<"write recipients: […]">
    mailFlow(() => ({ actions: [{ action: { type: 'DROP' }, recipient: 'ann@office.example' }] }))
    // @ts-expect-error Hint<"write allRecipients: true">
    mailFlow(async () => ({ actions: [{ action: { type: 'DROP' }, allrecipients: true }] }))
  })

  test('needs no type annotations for the mail, the builder and the signal', () => {
    mailFlow((mail, actions, { signal }) => {
      expect(mail).type.toBe<Mail>()
      expect(mail.recipients).type.toBe<readonly string[]>()
      expect(mail.flowDirection).type.toBe<'INBOUND' | 'OUTBOUND'>()
      expect(mail.envelope.recipients[0]?.address).type.toBe<string | undefined>()
      expect(mail.correlationId).type.toBe<string>()
      expect(mail.raw()).type.toBe<Promise<string | Uint8Array>>()
      expect(mail.parsed()).type.toBe<Promise<ParsedMail>>()
      expect(actions).type.toBe<MailActions>()
      expect(signal).type.toBe<AbortSignal>()
    })
  })
})

describe('the builder', () => {
  test('has a method for each action', () => {
    const actions = mailActions(event)
    expect(actions.bounce).type.toBe<(message?: string, recipients?: readonly string[]) => MailActions>()
    for (const word of ['drop', 'default', 'bypassSpamCheck', 'moveToJunk'] as const)
      expect(actions[word]).type.toBe<(recipients?: readonly string[]) => MailActions>()
    expect(actions.response().warnings).type.toBe<readonly ResponseWarning[]>()
    expect(actions).type.not.toHaveProperty('reply')
  })

  test('takes the recipients as a list, and bounce() takes its message before the list', () => {
    // @ts-expect-error Argument of type 'string' is not assignable to parameter of type 'readonly string[]'
    mailActions(event).drop('ann@office.example')
    // @ts-expect-error Argument of type 'string[]' is not assignable to parameter of type 'string'
    mailActions(event).bounce(['ann@office.example'])
  })
})

describe('asynchronous mode', () => {
  test('gives the handler the result type undefined', () => {
    expect(mailFlow(() => {}, { mode: 'async' })).type.toBe<Plugin<undefined, MailEvent>>()
    expect(mailFlow(async () => {}, { mode: 'async' })).type.toBe<Plugin<undefined, MailEvent>>()
    expect(decideMail(() => {}, { mode: 'async' })(event)).type.toBe<Promise<undefined>>()
    expect(signalbox(mailFlow(() => {}, { mode: 'async' }))).type.toBe<
      SignalboxHandler<undefined, MailEvent>
    >()
  })

  test('does not allow decide to return a result', () => {
    // @ts-expect-error Type 'MailActions' is not assignable to type
    mailFlow((_, actions) => actions.drop(), { mode: 'async' })
  })
})

describe('the options', () => {
  test('do not compile with an unknown name, a wrong value or a missing store', () => {
    // @ts-expect-error 'overlow' does not exist in type 'MailFlowOptions<"sync">'
    mailFlow(() => {}, { overlow: 'fallback' })
    // @ts-expect-error Type '"drop"' is not assignable to type 'Overflow | undefined'
    mailFlow(() => {}, { overflow: 'drop' })
    // @ts-expect-error Type '"later"' is not assignable to type
    mailFlow(() => {}, { mode: 'later' })
    // @ts-expect-error Property 'store' is missing
    once({})
    // @ts-expect-error 'limit' does not exist in type 'MailActionsOptions'
    mailActions(event, { limit: 11 })
  })

  test('infer the parameter types of their functions', () => {
    mailFlow(() => {}, {
      onTimeout: (mail, actions) => (mail.inbound ? actions.default() : undefined),
      onWarnings: (warnings, of) => {
        expect(warnings).type.toBe<readonly ResponseWarning[]>()
        expect(of).type.toBe<MailEvent>()
      },
      fetchMessage: async (messageId, { signal }) => {
        expect(messageId).type.toBe<string>()
        expect(signal).type.toBe<AbortSignal>()
        return ''
      },
      once: once({ store: memoryStore() }),
    })
    // @ts-expect-error Type 'Promise<MailActions>' is not assignable to type
    mailFlow(() => {}, { onTimeout: async (_, actions) => actions.default() })
  })
})

test('the result of a mail handler has the type MailResponse', () => {
  expect(signalbox(mailFlow(() => {}))).type.toBe<SignalboxHandler<MailResponse, MailEvent>>()
  expect(decideMail(() => {})(event)).type.toBe<Promise<MailResponse>>()
})

test('the middlewares and decideMail can be used in a middy stack', () => {
  const handler = middy()
    .use([mailFlowNormalizer(), mailFlowValidator(), mailFlowSerializer()])
    .handler(decideMail((_, actions) => actions.drop()))
  expect(handler).type.toBeCallableWith(event, {} as never)
})

test('middlewares that are written inside use() get a MailEvent as the event', () => {
  signalbox(mailFlow((_, actions) => actions.drop()))
    .use({
      before: ({ event }) => {
        expect(event).type.toBe<MailEvent>()
      },
    })
    .before(({ event }) => {
      expect(event.subject).type.toBe<string>()
    })
  signalbox(mailFlow(() => {}, { mode: 'async' })).use({
    before: ({ event }) => {
      expect(event).type.toBe<MailEvent>()
    },
  })
})
