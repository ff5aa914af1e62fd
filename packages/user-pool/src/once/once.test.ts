import { describe, expect, it } from '@jest/globals'
import middy from '@middy/core'
import { type InvocationContext, memoryStore, type Store, signalbox } from '@signalbox/core'
import { type ManualClock, manualClock } from '@signalbox/core/testing'
import {
  type OnceOptions,
  once,
  type Routes,
  type TriggerEvent,
  TriggerInProgressError,
  userPool,
  userPoolSerializer,
  userPoolValidator,
} from '../index.ts'
import { customEmailSenderEvent, postConfirmationEvent, preSignUpEvent } from '../testing/index.ts'

const call = (requestId: string): InvocationContext => ({ requestId })

/** Makes a handler with `once()`. Its routes record each run. */
function setUp({
  clock = manualClock(),
  store = memoryStore({ clock }),
  triggers = ['PreSignUp', 'PostConfirmation', 'CustomEmailSender'],
  run = () => undefined,
  ...options
}: Partial<OnceOptions> & { clock?: ManualClock; run?: () => unknown } = {}) {
  const runs: string[] = []
  const routes: Routes = {
    PreSignUp: async ({ userName }) => {
      runs.push(userName)
      await run()
      return { autoConfirmUser: true }
    },
    PostConfirmation: async ({ userName }) => {
      runs.push(userName)
      await run()
    },
    CustomEmailSender: ({ request }) => void runs.push(`${request.code}`),
    PostAuthentication: ({ userName }) => void runs.push(userName),
  }
  const handler = signalbox(userPool(routes, { decrypt: code => `plain ${code}` })).use(
    once({ store, triggers, clock, ...options }),
  )
  return { handler, runs, clock, store }
}

const turn = () => new Promise(resolve => setImmediate(resolve))

describe('once()', () => {
  it('gives a repeated call the answer of the first call with the same request id', async () => {
    const { handler, runs } = setUp()
    const event = () => preSignUpEvent({}, { response: { autoVerifyEmail: null } as never })
    const first = await handler(event(), call('a'))
    const second = await handler(event(), call('a'))
    expect(second).toEqual(first)
    expect(second.response).toMatchObject({ autoConfirmUser: true })
    expect(runs).toEqual(['ada'])
    await handler(event(), call('b'))
    expect(runs).toEqual(['ada', 'ada'])
  })

  it('recognizes a repeated call by its equal event when request ids differ, as they do on AWS', async () => {
    const { handler, runs, clock } = setUp()
    const onAws = (id: string) => ({ requestId: id, awsRequestId: id })
    await handler(postConfirmationEvent(), onAws('a'))
    await handler(postConfirmationEvent(), onAws('b'))
    await handler(postConfirmationEvent(), {})
    expect(runs).toEqual(['ada'])
    await handler(postConfirmationEvent({}, { userName: 'eve' }), onAws('c'))
    expect(runs).toEqual(['ada', 'eve'])
    await clock.advance(15_000)
    await handler(postConfirmationEvent(), onAws('d'))
    expect(runs).toEqual(['ada', 'eve', 'ada'])
  })

  it('recognizes a repeated call by a custom key', async () => {
    const { handler, runs } = setUp({ key: ({ userName }) => userName })
    await handler(preSignUpEvent(), call('a'))
    await handler(preSignUpEvent({ userAttributes: { email: 'b@example.com' } }), call('b'))
    expect(runs).toEqual(['ada'])
  })

  it('runs a trigger at every call unless the option `triggers` contains it', async () => {
    const { handler, runs } = setUp({ triggers: ['PostConfirmation_ConfirmSignUp'] })
    for (let i = 0; i < 2; i++) {
      await handler(preSignUpEvent(), call('a'))
      await handler(
        postConfirmationEvent(
          {},
          { triggerSource: 'PostConfirmation_ConfirmForgotPassword', userName: 'eve' },
        ),
        call('b'),
      )
    }
    expect(runs).toEqual(['ada', 'eve', 'ada', 'eve'])
  })

  it('stores neither plain nor encrypted codes', async () => {
    const entries: string[] = []
    const kept = memoryStore()
    const store: Store = {
      ...kept,
      setIfAbsent(key, value, ttl) {
        entries.push(key, value)
        return kept.setIfAbsent(key, value, ttl)
      },
      set(key, value, ttl) {
        entries.push(key, value)
        return kept.set(key, value, ttl)
      },
    }
    const { handler, runs } = setUp({ store })
    for (const code of ['424242', '424242', '424243']) await handler(customEmailSenderEvent({ code }), {})
    expect(runs).toEqual(['plain 424242', 'plain 424243'])
    expect(entries.join()).not.toContain('42424')
  })

  it('runs a sender only once when its events lack the response and nothing normalizes them', async () => {
    const sent: string[] = []
    const handler = middy({ timeoutEarlyInMillis: 0 })
      .use([
        userPoolValidator(),
        userPoolSerializer(),
        once({ store: memoryStore(), triggers: ['CustomEmailSender'] }) as never,
      ])
      .handler(async (event: TriggerEvent) => {
        sent.push(event.userName)
        return event
      })
    const { response: _, ...event } = customEmailSenderEvent()
    for (let i = 0; i < 2; i++)
      expect(await handler({ ...event } as never, call('a') as never)).toMatchObject(event)
    expect(sent).toEqual(['ada'])
  })

  it('lets a second call wait for the first call, and gives both the same answer', async () => {
    let end = () => {}
    const { handler, runs, clock } = setUp({ run: () => new Promise<void>(resolve => (end = resolve)) })
    const first = handler(preSignUpEvent(), call('a'))
    await turn()
    const second = handler(preSignUpEvent(), call('a'))
    await clock.advance(250)
    end()
    await clock.advance(100)
    expect((await second).response).toEqual((await first).response)
    expect(runs).toEqual(['ada'])
  })

  it('makes a second call fail before its deadline when the first call is still running', async () => {
    const { handler, clock } = setUp({ run: () => new Promise(() => {}) })
    void handler(preSignUpEvent(), call('a'))
    await turn()
    const second = handler(preSignUpEvent(), { requestId: 'a', getRemainingTimeInMillis: () => 1000 })
    const result = expect(second).rejects.toBeInstanceOf(TriggerInProgressError)
    await clock.advance(800)
    await result
    expect(clock.waiting).toBe(0)
  })

  it('runs the route again when the lease of a crashed call has expired', async () => {
    let crashed = true
    const { handler, runs, clock } = setUp({ run: () => (crashed ? new Promise(() => {}) : undefined) })
    void handler(preSignUpEvent(), call('a'))
    await turn()
    crashed = false
    const second = handler(preSignUpEvent(), call('a'))
    await clock.advance(4900)
    expect(runs).toEqual(['ada'])
    await clock.advance(100)
    expect((await second).response).toEqual({ autoConfirmUser: true })
    expect(runs).toEqual(['ada', 'ada'])
  })

  it('runs the route again after a failed call, unless a later call has stored its answer in the meantime', async () => {
    const ends: (() => void)[] = []
    const { handler, runs, clock } = setUp({
      run: () =>
        new Promise<void>((resolve, reject) => {
          if (ends.push(() => reject(new Error('no database'))) > 1) resolve()
        }),
    })
    const first = handler(preSignUpEvent(), call('a'))
    await turn()
    await clock.advance(5000)
    await handler(preSignUpEvent(), call('a'))
    ends[0]!()
    await expect(first).rejects.toThrow('no database')
    await handler(preSignUpEvent(), call('a'))
    expect(runs).toEqual(['ada', 'ada'])

    const failing = setUp({
      run: () => {
        throw new Error('no database')
      },
    })
    for (let i = 0; i < 2; i++) {
      await expect(failing.handler(preSignUpEvent(), call('a'))).rejects.toThrow('no database')
    }
    expect(failing.runs).toEqual(['ada', 'ada'])
  })

  it('does not keep an answer that the serializer refuses', async () => {
    let answer: unknown = { autoConfirmUser: 'yes' }
    const handler = signalbox(userPool({ PreSignUp: () => answer as never })).use(
      once({ store: memoryStore(), triggers: ['PreSignUp'] }),
    )
    await expect(handler(preSignUpEvent(), call('a'))).rejects.toThrow('autoConfirmUser')
    answer = { autoConfirmUser: true }
    expect((await handler(preSignUpEvent(), call('a'))).response).toEqual(answer)
  })

  it('fails when the store cannot be read, but succeeds when only the answer cannot be stored', async () => {
    const broken = (...methods: (keyof Store)[]): Store => {
      const down = () => Promise.reject(new Error('store down'))
      return { ...memoryStore(), ...Object.fromEntries(methods.map(method => [method, down])) }
    }
    const unread = setUp({ store: broken('setIfAbsent') })
    await expect(unread.handler(preSignUpEvent(), call('a'))).rejects.toThrow('store down')
    expect(unread.runs).toEqual([])
    const unwritten = setUp({ store: broken('set') })
    expect((await unwritten.handler(preSignUpEvent(), call('a'))).response).toEqual({ autoConfirmUser: true })
    const unreleased = setUp({
      store: broken('get', 'delete'),
      run: () => {
        throw new Error('no database')
      },
    })
    await expect(unreleased.handler(preSignUpEvent(), call('a'))).rejects.toThrow('no database')
  })

  it.each([
    ['store is missing', { triggers: ['PreSignUp'] }],
    ['triggers is missing', { store: memoryStore() }],
    ['triggers is missing', { store: memoryStore(), triggers: [] }],
    [
      'there is no trigger or trigger source "PostConfirm". Did you mean PostConfirmation?',
      { store: memoryStore(), triggers: ['PostConfirm'] },
    ],
    ['there is no trigger or trigger source "nothing"', { store: memoryStore(), triggers: ['nothing'] }],
    ['there is no trigger or trigger source "PreSignup"', { store: memoryStore(), triggers: ['PreSignup'] }],
    ['UserMigration cannot run once', { store: memoryStore(), triggers: ['UserMigration'] }],
    [
      'CreateAuthChallenge_Authentication cannot',
      { store: memoryStore(), triggers: ['CreateAuthChallenge_Authentication'] },
    ],
    ['ttl is 0', { store: memoryStore(), triggers: ['PreSignUp'], ttl: 0 }],
    ['lease is NaN', { store: memoryStore(), triggers: ['PreSignUp'], lease: Number.NaN }],
    ['stores', { stores: memoryStore(), triggers: ['PreSignUp'] }],
  ])('refuses invalid options with an error that contains "%s"', (why, options) => {
    expect(() => once(options as never)).toThrow(why)
  })
})
