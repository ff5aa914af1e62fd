import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import sqsPartialBatchFailure from '@middy/sqs-partial-batch-failure'
import { fromJson } from '@signalbox/codec'
import {
  InvalidEventError,
  InvalidOptionError,
  InvalidResponseError,
  type Middleware,
  signalbox,
} from '@signalbox/core'
import { errorPayload } from '@signalbox/core/payload'
import * as t from 'io-ts'
import { batchVerdict } from './contract/verdict.ts'
import { BatchFailedError, discard, eachMessage, type Message, queue } from './index.ts'
import { fifoEvent, queueEvent, queueRecord } from './testing/index.ts'

// Messages fail on purpose here, and their log would fill the terminal.
const { error } = console
beforeAll(() => {
  console.error = () => {}
})
afterAll(() => {
  console.error = error
})

const event = queueEvent({ bodies: ['a', 'b', 'c'] })
const idOf = Object.fromEntries(event.Records.map(({ body, messageId }) => [body, messageId]))
const failing = (...bodies: string[]) => ({
  batchItemFailures: bodies.map(body => ({ itemIdentifier: idOf[body] })),
})
const refuse = () => {
  throw new Error('trapped')
}
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}
const answerOf = (onMessage: (message: Message) => unknown, options: object = {}) =>
  signalbox(queue({ ...options, onMessage }))(event)

it('queue() refuses @middy/sqs-partial-batch-failure, which would report every message as failed', () => {
  const handler = signalbox(queue({ onMessage: () => undefined }))
  const add = () => handler.use(sqsPartialBatchFailure() as unknown as Middleware)
  expect(add).toThrow(InvalidOptionError)
  expect(add).toThrow('@middy/sqs-partial-batch-failure is not needed')
})

describe('a message of queue()', () => {
  it.each([
    ['undefined', () => undefined],
    ['a promise of undefined', async () => undefined],
    ['null', () => null],
    ['an object that looks like a rejection', async () => ({ status: 'rejected' })],
  ])('succeeds when its handler returns %s', async (_what, onMessage) => {
    expect(await answerOf(onMessage)).toEqual({ batchItemFailures: [] })
  })

  it.each([undefined, null, 0, '', 'text', new Error('x'), Symbol('x'), Object.create(null)])(
    'fails when its handler throws or rejects with %p',
    async thrown => {
      const reasons: unknown[] = []
      const onFailure = (_: unknown, reason: unknown) => reasons.push(reason)
      const throwing = await answerOf(
        ({ body }) => {
          if (body === 'b') throw thrown
        },
        { onFailure },
      )
      const rejecting = await answerOf(({ body }) => (body === 'b' ? Promise.reject(thrown) : undefined), {
        onFailure,
      })
      expect([throwing, rejecting]).toEqual([failing('b'), failing('b')])
      expect(reasons).toEqual([thrown, thrown])
    },
  )

  it('fails when its handler returns a thenable that rejects or throws', async () => {
    const thenable = (then: PropertyDescriptor) => Object.defineProperty({}, 'then', then)
    const thenables: Record<string, unknown> = {
      a: thenable({ value: (_: unknown, reject: (reason: unknown) => void) => reject('x') }),
      b: thenable({ value: (resolve: (value: unknown) => void) => resolve('x') }),
      c: thenable({
        get() {
          throw new Error('x')
        },
      }),
    }
    expect(await answerOf(({ body }) => thenables[body])).toEqual(failing('a', 'c'))
  })

  it.each<[string, () => object]>([
    ['a revoked Proxy', () => revoked()],
    [
      'a Proxy whose traps all throw',
      () => new Proxy({}, { getPrototypeOf: refuse, get: refuse, has: refuse, ownKeys: refuse }),
    ],
    ['a frozen error', () => Object.freeze(new Error('x'))],
  ])('fails alone when its handler throws or rejects with %s', async (_what, make) => {
    let told = 0
    for (const options of [{}, { throwWhenAllFail: true }, { onFailure: () => told++ }]) {
      const throwing = ({ body }: Message) => {
        if (body === 'b') throw make()
      }
      const rejecting = ({ body }: Message) => (body === 'b' ? Promise.reject(make()) : undefined)
      expect(await answerOf(throwing, options)).toEqual(failing('b'))
      expect(await answerOf(rejecting, options)).toEqual(failing('b'))
    }
    expect(told).toBe(2)
  })

  it('fails when its handler returns a thenable function that rejects', async () => {
    const request = Object.assign(() => undefined, {
      // biome-ignore lint/suspicious/noThenProperty: what is tested
      then: (_: unknown, reject: (reason: unknown) => void) => reject('x'),
    })
    expect(await answerOf(({ body }) => (body === 'b' ? request : undefined))).toEqual(failing('b'))
  })

  it('counts as one success when the returned thenable calls its callback twice', async () => {
    const twice = () => {
      const promise = Promise.resolve()
      const call = (done: () => void) => {
        done()
        done()
        return promise
      }
      return Object.defineProperty(promise, 'then', { value: call })
    }
    const onMessage = ({ body }: Message) =>
      body === 'b' ? twice() : new Promise(resolve => setImmediate(resolve))
    expect(await answerOf(onMessage, { concurrency: 1 })).toEqual(failing())
  })

  it('succeeds when its handler discards it, and onDiscard gets the reason', async () => {
    const heard: unknown[] = []
    const answer = await answerOf(
      async ({ body }) => {
        if (body === 'b') discard({ why: 'too old' })
        if (body === 'c') throw new Error('x')
      },
      { onDiscard: ({ id }: Message, reason: unknown) => heard.push([id, reason]) },
    )
    expect(answer).toEqual(failing('c'))
    expect(heard).toEqual([[idOf.b, { why: 'too old' }]])
  })

  it('does not stop its FIFO group when its handler discards it', async () => {
    const handled: string[] = []
    const handler = signalbox(
      queue({
        onMessage({ body }) {
          handled.push(body)
          if (body === 'a') discard()
        },
      }),
    )
    expect(
      await handler(
        fifoEvent([
          ['g', 'a'],
          ['g', 'b'],
        ]),
      ),
    ).toEqual({ batchItemFailures: [] })
    expect(handled).toEqual(['a', 'b'])
  })
})

describe('the option throwWhenAllFail', () => {
  const fail = () => {
    throw new Error('no database')
  }

  it('is off by default, so the response lists all messages when every message fails', async () => {
    expect(await answerOf(fail)).toEqual(failing('a', 'b', 'c'))
  })

  it('fails the invocation when every message fails, with the reason for the first failure as the cause', async () => {
    const answer = answerOf(fail, { throwWhenAllFail: true })
    await expect(answer).rejects.toThrow(BatchFailedError)
    await expect(answer).rejects.toMatchObject({
      code: 'BATCH_FAILED',
      message: 'All 3 messages of the batch failed.',
      cause: new Error('no database'),
    })
    expect(batchVerdict(errorPayload(await answer.catch(error => error)), event).kind).toBe('failure')
  })

  it('has no effect on an empty batch or when one message succeeds', async () => {
    const handler = signalbox(
      queue({
        throwWhenAllFail: true,
        onMessage({ body }) {
          if (body !== 'b') fail()
        },
      }),
    )
    expect(await handler(event)).toEqual(failing('a', 'c'))
    expect(await handler({ Records: [] })).toEqual({ batchItemFailures: [] })
  })
})

describe('two records with the same id', () => {
  const twins = queueEvent({ bodies: ['a', 'b'], records: [queueRecord('c', { messageId: idOf.a! })] })

  it.each([
    ['once when the first one fails', ['a'], 1],
    ['once when the second one fails', ['c'], 1],
    ['once when both fail', ['a', 'c'], 1],
    ['zero times when only another record fails', ['b'], 1],
    ['zero times when no record fails', [], 0],
  ] as const)('are reported %s', async (_, bad: readonly string[], count) => {
    const handler = signalbox(
      queue({ onMessage: ({ body }) => (bad.includes(body) ? Promise.reject(body) : body) }),
    )
    const answer = await handler(twins)
    expect(answer.batchItemFailures.length).toBe(count)
    expect(batchVerdict(JSON.stringify(answer), twins).kind).toBe(count ? 'partial' : 'success')
  })
})

describe('queue()', () => {
  const handler = signalbox(queue({ onMessage: () => undefined }))
  const plain = eachMessage(t.string, () => undefined)

  it.each([
    ['null among its Records', { Records: [null] }, '/Records/0'],
    ['a record without an id', { Records: [{ body: 'x' }] }, '/Records/0/messageId'],
    ['a record with an empty id', { Records: [{ messageId: '' }] }, '/Records/0/messageId'],
  ])(
    'refuses an event with %s, because no response could name that record',
    async (_what, broken, pointer) => {
      for (const refuse of [handler(broken), plain(broken as never)]) {
        await expect(refuse).rejects.toThrow(InvalidEventError)
        await expect(refuse).rejects.toMatchObject({ problems: [{ pointer }] })
      }
    },
  )

  it('refuses an event that is not a batch, as eachMessage() does', async () => {
    for (const broken of [null, 'text', {}, [], { Records: 7 }])
      await expect(plain(broken as never)).rejects.toThrow(InvalidEventError)
  })

  it('normalizes and handles an event that differs slightly from the contract', async () => {
    const drifted = { Records: event.Records.map(record => ({ ...record, messageAttributes: null })) }
    expect(await handler(structuredClone(drifted))).toEqual({ batchItemFailures: [] })
    expect(await plain(structuredClone(drifted) as never)).toEqual({ batchItemFailures: [] })
  })

  it('responds with an empty list of failures to an event without records', async () => {
    expect(await handler({ Records: [] })).toEqual({ batchItemFailures: [] })
  })
})

describe('the response of queue()', () => {
  it('is checked after the user’s middlewares run', async () => {
    const handler = signalbox(queue({ onMessage: () => undefined })).after(((request: {
      response: unknown
    }) => {
      request.response = { batchItemFailures: [{ itemIdentifier: 'zzz' }] }
    }) as never)
    await expect(handler(event)).rejects.toThrow(InvalidResponseError)
  })
})

describe('overlapping invocations', () => {
  it('do not share state', async () => {
    const release = new Map<string, () => void>()
    const handler = signalbox(
      queue({
        body: fromJson(t.type({ run: t.number, fails: t.boolean })),
        concurrency: 1,
        async onMessage({ body, id }) {
          await new Promise<void>(resolve => release.set(`${body.run} ${id}`, resolve))
          if (body.fails) throw new Error('x')
        },
      }),
    )
    const batch = (run: number, bad: number) =>
      queueEvent({ bodies: [0, 1, 2].map(position => ({ run, fails: position === bad })) })
    const answers = [1, 2].map(run => handler(batch(run, run)))
    for (let step = 0; step < 3; step++) {
      await new Promise(resolve => setImmediate(resolve))
      expect(release.size).toBe(2)
      for (const [key, let_go] of release) {
        release.delete(key)
        let_go()
      }
    }
    const ids = batch(0, 0).Records.map(({ messageId }) => messageId)
    expect(await Promise.all(answers)).toEqual([
      { batchItemFailures: [{ itemIdentifier: ids[1] }] },
      { batchItemFailures: [{ itemIdentifier: ids[2] }] },
    ])
  })
})
