import assert from 'node:assert/strict'
import {
  type BaseHandler,
  type Clock,
  closestFamily,
  contractValidator,
  DeniedError,
  deadline,
  type Family,
  fromTaskEither,
  InvalidEventError,
  InvalidOptionError,
  InvalidResponseError,
  inDevelopment,
  inDevelopmentOrTest,
  isThenable,
  keyvStore,
  type Middleware,
  memoryStore,
  named,
  namedMiddleware,
  normalizer,
  notAnAnswer,
  type Plugin,
  problemOfAnswer,
  receiver,
  refusalAsAnswer,
  refuseUnknownOptions,
  SignalboxError,
  showOption,
  signalbox,
  systemClock,
  UnknownEventError,
  UnroutedError,
  validator,
  warnOfName,
} from '@signalbox/core'
import { hasValidSignature, isSigningSecret, signatureHeaders } from '@signalbox/core/event-signature'
import { errorPayload, readPayload } from '@signalbox/core/payload'
import { sqliteStore } from '@signalbox/core/sqlite-store'
import { changedInOnePlace, invocationContext, manualClock } from '@signalbox/core/testing'
import { get, json, loadBalancer } from '@signalbox/load-balancer'
import { exchange, httpEvent } from '@signalbox/load-balancer/testing'
import { queue, queueFamily } from '@signalbox/queue'
import { queueEvent } from '@signalbox/queue/testing'
import { taskEither } from 'fp-ts'
import * as t from 'io-ts'
import type { Features } from '../features.ts'

const Greeting = t.type({ greet: t.string })
const greetings: Family = {
  name: 'greeting',
  recognizes: event => typeof event === 'object' && event !== null && 'greet' in event,
  keys: ['greet'],
  correlationId: () => undefined,
  event: Greeting,
  normalize(event) {
    const greeting = event as { greet: unknown }
    if (typeof greeting.greet === 'number') greeting.greet = String(greeting.greet)
  },
}
const greet: BaseHandler = ({ greet }: t.TypeOf<typeof Greeting>) => `Hello ${greet}`

/** The features in the README of `@signalbox/core`. */
export const features: Features = {
  async 'a handler of several families, with middlewares'() {
    const seen: unknown[] = []
    const handler = signalbox(
      queue({ onMessage: ({ body }) => void seen.push(body) }),
      loadBalancer([get('/hello/{name}', ({ params }) => json({ hello: params.name }))]),
    ).use({ before: ({ event }) => void seen.push(Object.keys(event).length > 0) })
    await handler(queueEvent({ bodies: ['a'] }))
    assert.deepEqual((await exchange(handler as never, httpEvent('GET', '/hello/Ada'))).json, {
      hello: 'Ada',
    })
    assert.deepEqual(seen, [true, 'a', true])
    await assert.rejects(handler({} as never), UnknownEventError)
    await assert.rejects(handler({ Records: 1 } as never), SignalboxError)
  },
  async 'the options reserve, clock and those of middy'() {
    const plugin = queue({ onMessage() {} })
    const clock: Clock = manualClock()
    const handler = signalbox(plugin, { reserve: 100, clock, timeoutEarlyInMillis: 0 })
    assert.deepEqual(await handler(queueEvent({ bodies: ['a'] })), { batchItemFailures: [] })
    assert.throws(() => signalbox(plugin, { resrve: 1 } as never), InvalidOptionError)
  },
  async 'fromTaskEither()'() {
    const run = fromTaskEither((n: number) =>
      n > 0 ? taskEither.right(n) : taskEither.left(new Error('not above 0')),
    )
    assert.equal(await run(1), 1)
    await assert.rejects(run(0), /not above 0/)
  },
  'deadline(), with limit, reserve and clock'() {
    const clock = manualClock()
    const end = deadline(invocationContext({ timeout: 1000, clock }), { reserve: 100, limit: 500, clock })
    assert.equal(end.remaining(), 400)
    assert.equal(end.signal.aborted, false)
    end.end()
    assert.equal(typeof systemClock.wall(), 'number')
  },
  async 'memoryStore(), keyvStore() and sqliteStore()'() {
    const map = new Map<string, unknown>()
    const keyv = {
      get: async (key: string) => map.get(key),
      set: async (key: string, value: unknown) => map.set(key, value) !== undefined,
      delete: async (key: string) => map.delete(key),
    }
    for (const store of [memoryStore({ limit: 10 }), keyvStore(keyv as never), sqliteStore(':memory:')]) {
      await store.set('a', 'b', 1000)
      assert.equal(await store.get('a'), 'b')
    }
    assert.throws(() => keyvStore({} as never), /keyvStore\(\) takes a Keyv/)
  },
  async 'the pieces of a plugin'() {
    const exclaim = namedMiddleware('exclaim', {
      after: (request: { response?: unknown }) => {
        request.response = `${request.response}!`
      },
    })
    const plugin = (...middlewares: readonly Middleware[]) =>
      ({ family: greetings, middlewares: [...middlewares, exclaim], handler: greet }) as Plugin<string>
    for (const handler of [
      signalbox(plugin(normalizer(greetings), validator(greetings))),
      signalbox(plugin(receiver(greetings, validator(greetings) as never))),
    ]) {
      assert.equal(await handler({ greet: 7 }), 'Hello 7!')
      await assert.rejects(handler({ greet: {} }), InvalidEventError)
    }
    assert.equal(contractValidator(queueFamily).name, 'queue-validator')
    assert.ok(closestFamily({ greet: 1 }, [greetings]))
    assert.equal(named('a', () => 1).name, 'a')
    assert.equal(isThenable(Promise.resolve()), true)
  },
  'what answers and names are for authors of plugins'() {
    const value = notAnAnswer('a reply', { a: 1 })
    assert.throws(() => JSON.stringify(value))
    assert.ok(problemOfAnswer(value) !== undefined || refusalAsAnswer('a reply'))
    assert.throws(() => refuseUnknownOptions('f()', { a: 1 }, ['b']), /f\(\) has no option "?a/)
    assert.equal(showOption('5'), '"5"')
    assert.deepEqual([inDevelopment(), inDevelopmentOrTest()], [false, false])
    assert.equal(typeof warnOfName, 'function')
    assert.ok(changedInOnePlace !== undefined)
  },
  errors() {
    for (const error of [DeniedError, InvalidResponseError, UnroutedError, InvalidOptionError])
      assert.ok(error.prototype instanceof SignalboxError)
  },
  'signed events'() {
    const secret = 'a secret of 16 characters or more'
    const now = Date.now()
    assert.ok(isSigningSecret(secret))
    const headers = { ...signatureHeaders(secret, { id: '1', body: 'a', now }) }
    assert.equal(hasValidSignature({ headers, body: 'a', secret, now }), true)
    assert.equal(hasValidSignature({ headers, body: 'b', secret, now }), false)
    assert.throws(
      () => signatureHeaders('', { id: '1', body: '', now }),
      /a secret of at least 16 characters/,
    )
  },
  payloads() {
    assert.deepEqual(readPayload('{"a":1}'), { kind: 'value', value: { a: 1 } })
    assert.match(errorPayload(new Error('no')), /"errorMessage":"no"/)
  },
}
