import { describe, expect, it } from '@jest/globals'
import middy from '@middy/core'
import { fromJson } from '@signalbox/codec'
import { InvalidEventError, InvalidResponseError, signalbox } from '@signalbox/core'
import { errorPayload } from '@signalbox/core/payload'
import * as t from 'io-ts'
import { batchVerdict } from '../contract/verdict.ts'
import {
  discard,
  eachMessage,
  failureCollector,
  partialFailures,
  queue,
  queueNormalizer,
  queueValidator,
} from '../index.ts'
import { fifoEvent, queueEvent } from '../testing/index.ts'

type Event = ReturnType<typeof queueEvent>

const event = queueEvent({ bodies: ['a', 'b', 'c'] })
const [a, b, c] = event.Records.map(({ messageId }) => messageId)
const listing = (...ids: unknown[]) => ({
  batchItemFailures: ids.map(itemIdentifier => ({ itemIdentifier })),
})

async function answer(run: (event: Event) => unknown, batch: unknown = event): Promise<unknown> {
  const handler = middy({ timeoutEarlyInMillis: 0 })
    .use([queueNormalizer(), queueValidator(), partialFailures()])
    .handler(async given => run(given))
  return handler(batch as Event, {} as never)
}

describe('partialFailures() accepts', () => {
  it('the results of Promise.allSettled over the records', async () => {
    const run = ({ Records }: Event) =>
      Promise.allSettled(
        Records.map(async ({ body }) => {
          if (body === 'b') throw undefined
          if (body === 'c') discard('no longer wanted')
        }),
      )
    expect(await answer(run)).toEqual(listing(b))
  })

  it('a failureCollector', async () => {
    const run = (batch: Event) => {
      const failures = failureCollector(batch)
      failures.add(batch.Records[2]!)
      failures.add(batch.Records[0]!)
      return failures
    }
    expect(await answer(run)).toEqual(listing(a, c))
  })

  it('an array of failed ids, even if it is empty or has duplicates', async () => {
    expect(await answer(() => [c, a, c])).toEqual(listing(a, c))
    expect(await answer(() => [])).toEqual(listing())
  })

  it('a batch response in any order and with duplicates', async () => {
    expect(await answer(() => listing())).toEqual(listing())
    expect(await answer(() => listing(b))).toEqual(listing(b))
    expect(await answer(() => listing(c, a, c))).toEqual(listing(a, c))
  })

  it('the response of eachMessage(), in a middy stack', async () => {
    const ship = async ({ body }: { body: number }) => {
      if (body > 1) throw new Error('too much')
    }
    // #region pieces
    const handler = middy()
      .use([queueNormalizer(), queueValidator(), partialFailures()])
      .handler(eachMessage(fromJson(t.number), ship))
    // #endregion pieces
    const batch = queueEvent({ bodies: [1, 2] })
    expect(await handler(batch, {} as never)).toEqual(listing(batch.Records[1]!.messageId))
  })

  it('the response of eachMessage() for valid and invalid messages', async () => {
    const run = eachMessage(fromJson(t.number), ({ body }) => {
      if (body > 1) throw new Error('too much')
    })
    const batch = queueEvent({ bodies: [1, 2, 'nothing', 0] })
    expect(await answer(run, batch)).toEqual(
      listing(batch.Records[1]!.messageId, batch.Records[2]!.messageId),
    )
  })
})

describe('partialFailures() says which id is wrong', () => {
  it.each([
    [
      'has another key',
      { batchItemFailures: [{ itemIdentifier: a }, { id: b }] },
      'the id of a message, was',
    ],
    ['is missing', { batchItemFailures: [{ itemIdentifier: a }, null] }, 'the id of a message, was'],
    ['is of no message', listing(a, 'zzz'), 'ids of messages in the batch, was another id'],
  ])('when it %s', async (_what, returned, message) => {
    await expect(answer(() => returned)).rejects.toThrow(
      `/batchItemFailures/1/itemIdentifier: expected ${message}`,
    )
  })
})

describe('partialFailures() fails the invocation', () => {
  it.each([
    ['undefined', undefined],
    ['null', null],
    ['a boolean', true],
    ['a string', 'done'],
    ['an empty object', {}],
    ['an object with a misspelled batchItemFailures', { batchItemFailure: [] }],
    ['a response whose list is null', { batchItemFailures: null }],
    ['a response that lists null', { batchItemFailures: [null] }],
    ['a response whose item has a wrong key', { batchItemFailures: [{ id: a }] }],
    ['a response with an empty id', listing('')],
    ['a response with the id of no message', listing(a, 'zzz')],
    ['a list with an id that is not in the batch', [a, 'zzz']],
    ['a list with an empty id', ['']],
    ['the list of records', event.Records],
    ['a response whose list has a hole', { batchItemFailures: new Array(1) }],
    ['an array of holes', new Array(3)],
    [
      'objects with a status that are not outcomes',
      event.Records.map(() => ({ id: 1, status: 'fulfilled' })),
    ],
    [
      'objects with a status, a value and an id',
      event.Records.map(() => ({ id: 1, status: 'fulfilled', value: 5 })),
    ],
    ['fulfilled outcomes with a reason', event.Records.map(() => ({ status: 'fulfilled', reason: 1 }))],
    ['an array of undefined', [undefined, undefined, undefined]],
    ['fewer outcomes than records', [{ status: 'fulfilled', value: 1 }]],
    ['more outcomes than records', Array(4).fill({ status: 'fulfilled', value: 1 })],
    ['a list of both ids and outcomes', [a, { status: 'fulfilled', value: 1 }]],
    ['an object that resembles a collector', { response: () => listing(), reasons: new Map() }],
  ])('when the handler returns %s', async (_what, returned) => {
    const failing = answer(() => returned)
    await expect(failing).rejects.toThrow(InvalidResponseError)
    const verdict = batchVerdict(errorPayload(await failing.catch(error => error)), event)
    expect(verdict.kind).toBe('failure')
  })

  it('when the handler throws, with the same error', async () => {
    await expect(
      answer(() => {
        throw new Error('no database')
      }),
    ).rejects.toThrow('no database')
  })

  it('when the handler returns a collector of another batch', async () => {
    const other = { Records: [{ messageId: 'of another batch' }] }
    const failures = failureCollector(other)
    failures.add('of another batch')
    await expect(answer(() => failures)).rejects.toThrow(InvalidResponseError)
  })

  it('when the handler returns an empty collector of an earlier batch', async () => {
    const others = event.Records.map(() => ({ messageId: 'earlier' }))
    for (const earlier of [others, [], event.Records.slice(0, 2)]) {
      const kept = failureCollector({ Records: earlier })
      await expect(answer(() => kept)).rejects.toThrow('expected the failureCollector of this batch')
    }
    const copied = failureCollector(structuredClone(event))
    expect(await answer(() => copied)).toEqual(listing())
  })

  it('when the event is not a batch, before the handler is called', async () => {
    let called = false
    const failing = answer(
      () => {
        called = true
      },
      { Records: [{}] },
    )
    await expect(failing).rejects.toThrow(InvalidEventError)
    expect(called).toBe(false)
  })
})

describe('the response of an error handler', () => {
  const failed = new Error('no database')
  const instead = async (
    onError: (request: { response: unknown; error: unknown }) => void,
    batch: unknown = event,
  ) =>
    middy({ timeoutEarlyInMillis: 0 })
      .use([queueNormalizer(), queueValidator(), partialFailures()])
      .onError(onError as never)
      .handler(async () => {
        throw failed
      })(batch as Event, {} as never)
  const answering = (response: unknown) => (request: { response: unknown }) => {
    request.response = response
  }
  const page = { statusCode: 500, body: 'Internal Server Error' }

  it('fails the invocation with the original error unless it is a batch response', async () => {
    for (const response of [page, {}, null, listing('zzz'), 'done'])
      await expect(instead(answering(response))).rejects.toBe(failed)
  })

  it('fails the invocation unless it is a batch response, even if the handler replaces the error', async () => {
    const failing = instead(request => {
      request.response = page
      request.error = { statusCode: 500 }
    })
    await expect(failing).rejects.toThrow(InvalidResponseError)
  })

  it('fails the invocation when the event is not a batch', async () => {
    const failing = instead(answering(listing()), { Records: [{}] })
    await expect(failing).rejects.toThrow(InvalidEventError)
  })

  it('is checked even if an onError hook responds to every error with an HTTP page', async () => {
    const handler = signalbox(
      queue({
        throwWhenAllFail: true,
        onMessage() {
          throw failed
        },
      }),
    ).onError(answering(page) as never)
    await expect(handler(event)).rejects.toMatchObject({ code: 'BATCH_FAILED', cause: failed })
  })

  it('becomes the result when it is a batch response', async () => {
    expect(await instead(answering(listing(b)))).toEqual(listing(b))
    expect(await instead(answering([c, a]))).toEqual(listing(a, c))
  })

  it('is not checked when the error handler returns nothing', async () => {
    await expect(instead(() => undefined)).rejects.toBe(failed)
  })
})

describe('the error of partialFailures()', () => {
  it('lists the results that partialFailures() accepts', async () => {
    await expect(answer(() => ({}))).rejects.toThrow(/was an object$/)
    await expect(answer(() => undefined)).rejects.toThrow(
      'expected the results of Promise.allSettled, a failureCollector, an array of failed ids, or { batchItemFailures }, was nothing',
    )
    await expect(answer(() => Promise.allSettled([1]))).rejects.toThrow(
      'expected 3 results, one for each record, was 1 results',
    )
  })
})

describe('partialFailures() with a FIFO queue', () => {
  const fifo = fifoEvent([
    ['g', 'a'],
    ['h', 'b'],
    ['g', 'c'],
    ['h', 'd'],
  ])
  const [first, second, third] = fifo.Records.map(({ messageId }) => messageId)

  it.each([
    [
      'a list of outcomes',
      () => Promise.allSettled(fifo.Records.map(({ body }) => (body === 'a' ? Promise.reject(body) : body))),
    ],
    ['a list of ids', () => [first]],
    ['a batch response', () => listing(first)],
  ])('adds the later messages of a failed group to %s', async (_what, run) => {
    expect(await answer(run, fifo)).toEqual(listing(first, third))
  })

  it('keeps a response without failures', async () => {
    expect(await answer(() => listing(), fifo)).toEqual(listing())
    expect(await answer(() => [second], fifo)).toEqual(listing(second, fifo.Records[3]!.messageId))
  })

  it('adds the later messages of a group again when a middleware has removed them', async () => {
    const handler = signalbox(
      queue({
        onMessage: ({ body }) => {
          if (body === 'a') throw new Error('broken')
        },
      }),
    ).after(({ response }: { response: { batchItemFailures: unknown[] } }) => {
      response.batchItemFailures.pop()
    })
    expect(await handler(structuredClone(fifo))).toEqual(listing(first, third))
  })

  it('adds later messages of both groups when two records share a failed id', async () => {
    const [one, two] = structuredClone(fifo).Records
    const third = { ...structuredClone(one!), messageId: 'third' }
    const batch = { Records: [one!, { ...two!, body: 'broken', messageId: one!.messageId }, third] }
    const handler = signalbox(
      queue({
        onMessage: ({ body }) => {
          if (body === 'broken') throw new Error('broken')
        },
      }),
    )
    expect(await handler(batch)).toEqual(listing(first, 'third'))
  })

  it('adds the later messages of a group to a response that was made for an earlier batch', async () => {
    const kept = await eachMessage(fromJson(t.number), () => undefined)({ Records: fifo.Records.slice(0, 1) })
    expect(kept).toEqual(listing(first))
    expect(await answer(() => kept, fifo)).toEqual(listing(first, third))
  })
})

describe('a middleware that responds early', () => {
  const asking = () => queue({ onMessage: () => undefined })

  it.each([
    ['an HTTP page', { statusCode: 200, body: '' }],
    ['null', null],
    ['an empty object', {}],
    ['an id of another batch', listing('other')],
  ])('makes the whole batch fail when it responds with %s', async (_what, early) => {
    for (const when of ['before', 'after', 'onError'] as const) {
      const plugin = asking()
      const broken = { ...plugin, handler: () => Promise.reject(new Error('broken')) }
      const setting = (request: { earlyResponse?: unknown }) => {
        request.earlyResponse = early
      }
      for (const hook of [() => early, setting as never]) {
        const handler = signalbox(when === 'onError' ? broken : plugin)[when](hook)
        const payload = await handler(structuredClone(event)).then(JSON.stringify, errorPayload)
        expect(batchVerdict(payload, event).kind).toBe('failure')
      }
    }
  })

  it('can return the failed ids', async () => {
    const handler = signalbox(asking()).before(() => [b])
    expect(await handler(structuredClone(event))).toEqual(listing(b))
  })
})

describe('a response that a middleware changed', () => {
  const changed = (change: (failures: { itemIdentifier: string }[]) => void) =>
    signalbox(
      queue({
        onMessage: ({ body }) => {
          if (body !== 'a') throw new Error('broken')
        },
      }),
    ).after(({ response }: { response: { batchItemFailures: { itemIdentifier: string }[] } }) => {
      change(response.batchItemFailures)
    })(structuredClone(event))

  it('is checked like any other response', async () => {
    expect(await changed(() => undefined)).toEqual(listing(b, c))
    expect(await changed(failures => void failures.reverse())).toEqual(listing(b, c))
    expect(await changed(failures => void failures.unshift({ itemIdentifier: a! }))).toEqual(listing(a, b, c))
    expect(await changed(failures => void failures.shift())).toEqual(listing(c))
    await expect(
      changed(failures => void failures.splice(1, 1, { itemIdentifier: 'other' })),
    ).rejects.toBeInstanceOf(InvalidResponseError)
  })
})
