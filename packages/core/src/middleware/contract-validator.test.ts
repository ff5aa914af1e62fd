import { expect, it } from '@jest/globals'
import { prepare } from '@signalbox/codec/ahead'
import * as t from 'io-ts'
import {
  type BeforeMiddleware,
  contractValidator,
  type Family,
  InvalidEventError,
  validator,
} from '../index.ts'

const codec = prepare(t.type({ greet: t.string }))
const greetings: Family = {
  name: 'greeting',
  recognizes: () => true,
  keys: [],
  correlationId: () => undefined,
  event: codec,
  normalize: () => undefined,
}

async function thrownBy({ before }: BeforeMiddleware, event: unknown): Promise<unknown> {
  try {
    await before({ event, context: {}, internal: {} } as never)
    return undefined
  } catch (error) {
    return error
  }
}

it('the contract validator accepts every event that its codec accepts', async () => {
  expect(await thrownBy(contractValidator(greetings), { greet: 'Ada' })).toBeUndefined()
  expect(
    await thrownBy(
      contractValidator(greetings, () => null),
      {},
    ),
  ).toBeUndefined()
})

it.each([
  ['contractValidator()', contractValidator(greetings)],
  ['validator()', validator(greetings)],
])('%s names the problems of its own event when several events are validated at once', async (_, own) => {
  const events = [{ greet: 1 }, { greet: 'Ada' }, { greet: true }, {}]
  const found = await Promise.all(events.map(event => thrownBy(own, event)))
  expect(found.map(error => (error as InvalidEventError | undefined)?.problems[0]?.actual)).toEqual([
    'number 1',
    undefined,
    'boolean true',
    'nothing',
  ])
})

it('the contract validator throws the same error as the middy validator', async () => {
  const [own, middys] = (await Promise.all(
    [contractValidator(greetings), validator(greetings)].map(each => thrownBy(each, { greet: 1 })),
  )) as InvalidEventError[]
  expect(own).toBeInstanceOf(InvalidEventError)
  expect(own?.message).toBe(middys?.message)
  expect(own?.problems).toEqual(middys?.problems)
  const [cause, expected] = [own?.cause, middys?.cause] as Error[]
  expect({ ...cause, name: cause?.name, message: cause?.message, cause: cause?.cause }).toEqual({
    ...expected,
    name: expected?.name,
    message: expected?.message,
    cause: expected?.cause,
  })
})
