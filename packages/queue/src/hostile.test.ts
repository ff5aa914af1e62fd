import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { fromJson } from '@signalbox/codec'
import { signalbox } from '@signalbox/core'
import fc from 'fast-check'
import * as t from 'io-ts'
import { batchVerdict } from './contract/verdict.ts'
import { queue } from './index.ts'
import { fifoEvent, queueEvent } from './testing/index.ts'

// Messages fail on purpose here, and their log would fill the terminal.
const { error } = console
beforeAll(() => {
  console.error = () => {}
})
afterAll(() => {
  console.error = error
})

interface Tree {
  readonly children: readonly Tree[]
}
const Tree: t.Type<Tree, unknown, unknown> = t.recursion('Tree', () =>
  t.type({ children: t.readonlyArray(Tree) }),
)

const deep = 20_000
const hostile: readonly (readonly [name: string, body: string])[] = [
  ['ten megabytes of JSON', JSON.stringify({ id: 1, padding: 'x'.repeat(10_000_000) })],
  ['ten megabytes that are not JSON', '{'.repeat(10_000_000)],
  ['deeply nested objects', `${'{"children":['.repeat(deep)}${']}'.repeat(deep)}`],
  ['deeply nested arrays', `${'['.repeat(deep)}${']'.repeat(deep)}`],
  [
    'an object with __proto__',
    '{"__proto__":{"polluted":true},"id":1,"constructor":{"prototype":{"polluted":true}}}',
  ],
  ['an object with only __proto__', '{"__proto__":{"id":1,"polluted":true}}'],
  ['lone surrogates', '{"id":"\ud800","\udfff":"\\ud800"}'],
  ['text that is not JSON', '{"id":'],
  ['an empty text', ''],
  ['null', 'null'],
  ['a huge number', '{"id":1e999}'],
]

const bodies: readonly t.Mixed[] = [
  fromJson(t.type({ id: t.number })),
  fromJson(Tree),
  fromJson(t.record(t.string, t.unknown)),
  fromJson(t.exact(t.type({ id: t.number }))),
  t.string,
]

describe('a message', () => {
  it.each(hostile)('whose body is %s does not affect other records', async (_name, body) => {
    for (const codec of bodies) {
      const good = codec === bodies[1] ? '{"children":[]}' : '{"id":7}'
      for (const event of [
        queueEvent({ bodies: [good, body, good] }),
        fifoEvent([
          ['a', good],
          ['b', body],
          ['c', good],
        ]),
      ]) {
        const handled: string[] = []
        const onMessage = ({ id }: { id: string }) => void handled.push(id)
        const answer = await signalbox(queue({ body: codec, onMessage, verify: 'md5' }))(event)
        const [first, second, third] = event.Records.map(({ messageId }) => messageId)
        expect(handled.filter(id => id !== second)).toEqual([first, third])
        expect(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(
          handled.length === 3 ? [] : [second],
        )
        expect(batchVerdict(JSON.stringify(answer), event).kind).not.toBe('failure')
      }
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it('with any string as its body does not affect other records', async () => {
    const codec = fromJson(t.type({ id: t.number }))
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), fc.nat(4), async (body, at) => {
        const event = queueEvent({ bodies: [0, 1, 2, 3, 4].map(id => (id === at ? body : { id })) })
        const handled = new Set<number>()
        const answer = await signalbox(
          queue({ body: codec, onMessage: message => void handled.add(message.body.id) }),
        )(event)
        for (const id of [0, 1, 2, 3, 4]) if (id !== at) expect(handled).toContain(id)
        const reported = answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)
        expect([[], [event.Records[at]!.messageId]]).toContainEqual(reported)
      }),
      { numRuns: 300 },
    )
  })
})

describe('a record with a valid id', () => {
  const parts = [
    'receiptHandle',
    'body',
    'attributes',
    'messageAttributes',
    'md5OfBody',
    'eventSourceARN',
    'extra',
  ]

  it('does not affect other records, whatever else it contains', async () => {
    const junk = fc.dictionary(fc.constantFrom(...parts, '__proto__', 'constructor'), fc.jsonValue())
    await fc.assert(
      fc.asyncProperty(junk, fc.boolean(), async (fields, fifo) => {
        const event = fifo
          ? fifoEvent([
              ['a', 'one'],
              ['b', 'bad'],
              ['c', 'two'],
            ])
          : queueEvent({ bodies: ['one', 'bad', 'two'] })
        event.Records[1] = { ...fields, messageId: 'bad', eventSource: 'cloud:queue' } as never
        const handled: string[] = []
        const onMessage = ({ body, attributes }: { body: string; attributes: object }) =>
          void handled.push(body, ...Object.keys(attributes))
        const onFailure = (message: object) => {
          for (const key of Object.keys(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(message))))
            Reflect.get(message, key)
        }
        const answer = await signalbox(queue({ onMessage, onFailure }))(event)
        expect(handled).toEqual(['one', 'two'])
        expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'bad' }] })
      }),
      { numRuns: 300 },
    )
  })
})
