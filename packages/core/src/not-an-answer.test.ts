import { expect, it } from '@jest/globals'
import * as t from 'io-ts'
import {
  deadline,
  type Family,
  fromTaskEither,
  InvalidResponseError,
  keyvStore,
  memoryStore,
  normalizer,
  receiver,
  signalbox,
  systemClock,
  validator,
} from './index.ts'
import { notAnAnswer, problemOfAnswer, refusalAsAnswer } from './not-an-answer.ts'

const refusal = (expected: string, what: string) =>
  `What the function returned breaks the contract:\nthe value: expected ${expected}, was ${what}`

it.each<[string, object]>([
  ['an object', { name: 'tool' }],
  ['a function', () => 'tool'],
])('JSON.stringify throws for %s marked with notAnAnswer()', (_, value) => {
  const tool = notAnAnswer('a tool', value)
  expect(tool).toBe(value)
  expect(() => JSON.stringify(tool)).toThrow(InvalidResponseError)
  expect(() => JSON.stringify({ response: tool })).toThrow(refusal('an answer', 'a tool'))
})

it('notAnAnswer() keeps the enumerable properties of a value, and does not mark copies of it', () => {
  const tool = notAnAnswer('a tool', { name: 'tool' })
  expect(Object.keys(tool)).toEqual(['name'])
  expect(JSON.stringify({ ...tool })).toBe('{"name":"tool"}')
})

it('the error for a returned plugin or handler says what to return instead', () => {
  expect(() => JSON.stringify(notAnAnswer('a plugin', {}))).toThrow(
    refusal('what the handler of signalbox(plugin) returns', 'a plugin'),
  )
  expect(() => JSON.stringify(notAnAnswer('a handler', () => 1))).toThrow(
    refusal('what the handler returns for an event and its context', 'a handler'),
  )
})

it('refusalAsAnswer() returns a function that throws an error with the given words', () => {
  const tool = { toJSON: refusalAsAnswer('a tool', 'its result') }
  expect(() => JSON.stringify(tool)).toThrow(refusal('its result', 'a tool'))
})

it('problemOfAnswer() finds the problem with a marked value only', () => {
  const problem = { pointer: '', expected: 'an answer', actual: 'a tool' }
  expect(problemOfAnswer(notAnAnswer('a tool', {}))).toEqual(problem)
  expect(problemOfAnswer({ toJSON: refusalAsAnswer('a tool') })).toEqual(problem)
  for (const other of [undefined, null, 7, {}, { toJSON: { problem } }, { toJSON: () => 1 }])
    expect(problemOfAnswer(other)).toBeUndefined()
})

it('a value marked by notAnAnswer() can be marked again with another name, or get its own toJSON', () => {
  expect(() => JSON.stringify(notAnAnswer('an outer tool', notAnAnswer('a tool', {})))).toThrow(
    'an outer tool',
  )
  expect(JSON.stringify(Object.assign(notAnAnswer('a tool', {}), { toJSON: () => 'mine' }))).toBe('"mine"')
})

const family: Family = {
  name: 'greeting',
  recognizes: () => true,
  keys: [],
  correlationId: () => undefined,
  event: t.unknown,
  normalize() {},
}
const normalize = normalizer(family)
const validate = validator(family)
const receive = receiver(family, validator(family))

it.each<[string, string, object]>([
  ['a deadline', 'a deadline', deadline(undefined)],
  ['a clock', 'a clock', systemClock],
  ['a memoryStore', 'a store', memoryStore()],
  ['a keyvStore', 'a store', keyvStore(new Map() as never)],
  ['a handler of fromTaskEither', 'a handler', fromTaskEither(() => undefined as never)],
  ['a handler of signalbox', 'a handler', signalbox({ family, middlewares: [], handler: () => 1 })],
  ['a normalizer', 'a middleware', normalize],
  ['a validator', 'a middleware', validate],
  ['a receiver', 'a middleware', receive],
])('when a function returns %s, the error calls it %s', (_, what, tool) => {
  expect(() => JSON.stringify(tool)).toThrow(`, was ${what}`)
})

it('middlewares and their hooks are named after their family', () => {
  const names = [normalize, validate, receive].flatMap(({ name, before }) => [name, before?.name])
  expect(names).toEqual([
    ...['greeting-normalizer', 'greeting-normalizer'],
    ...['greeting-validator', 'greeting-validator'],
    ...['greeting-receiver', 'greeting-receiver'],
  ])
})
