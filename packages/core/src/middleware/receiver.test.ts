import { expect, it } from '@jest/globals'
import * as t from 'io-ts'
import type { Family, Request } from '../index.ts'
import { InvalidEventError, receiver, validator } from '../index.ts'

const calls: string[] = []
const greetings: Family = {
  name: 'greeting',
  recognizes: () => true,
  keys: [],
  correlationId: () => undefined,
  event: t.type({ greet: t.string }),
  normalize(event) {
    calls.push('normalize')
    const greeting = event as { greet: unknown }
    if (typeof greeting.greet === 'number') greeting.greet = String(greeting.greet)
  },
}
const isNormalized = (event: unknown) => typeof (event as { greet: unknown }).greet === 'string'

async function received(event: unknown, codec?: t.Mixed): Promise<unknown> {
  const { before } = receiver(greetings, validator(greetings, codec), isNormalized)
  await (before as (request: Partial<Request>) => unknown)({ event, context: {}, internal: {} })
  return event
}

it('the receiver skips an event that is already normalized', async () => {
  calls.length = 0
  expect(await received({ greet: 'Ada' })).toEqual({ greet: 'Ada' })
  expect(calls).toEqual([])
})

it('the receiver normalizes an event that is not normalized yet, and then validates it', async () => {
  calls.length = 0
  expect(await received({ greet: 7 })).toEqual({ greet: '7' })
  expect(calls).toEqual(['normalize'])
  await expect(received({ greet: null })).rejects.toBeInstanceOf(InvalidEventError)
})

it('the receiver validates with the codec that it is given', async () => {
  expect(await received({ greet: null }, t.UnknownRecord)).toEqual({ greet: null })
})

it('the receiver’s hook has a name, so that middy can report it', () => {
  const { name, before } = receiver(greetings, validator(greetings), isNormalized)
  expect([name, before?.name]).toEqual(['greeting-receiver', 'greeting-receiver'])
})

it('the receiver without a look of its own normalizes and validates every event', () => {
  calls.length = 0
  const { before } = receiver(greetings, validator(greetings))
  before({ event: { greet: 'Ada' }, context: {}, internal: {} } as never)
  expect(calls).toEqual(['normalize'])
})
