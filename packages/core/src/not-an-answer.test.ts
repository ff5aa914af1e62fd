import { expect, it } from '@jest/globals'
import { InvalidResponseError } from './index.ts'
import { notAnAnswer, refusalAsAnswer } from './not-an-answer.ts'

const refusal = (expected: string, what: string) =>
  `What the function returned breaks the contract:\nthe value: expected ${expected}, was ${what}`

it.each([{ name: 'tool' }, () => 'tool'])('what is not an answer cannot become JSON: %#', value => {
  const tool = notAnAnswer('a tool', value)
  expect(tool).toBe(value)
  expect(() => JSON.stringify(tool)).toThrow(InvalidResponseError)
  expect(() => JSON.stringify({ response: tool })).toThrow(refusal('an answer', 'a tool'))
})

it('keeps its enumerable properties, and copies are ordinary', () => {
  const tool = notAnAnswer('a tool', { name: 'tool' })
  expect(Object.keys(tool)).toEqual(['name'])
  expect(JSON.stringify({ ...tool })).toBe('{"name":"tool"}')
})

it('says what to return instead of a plugin and of a handler', () => {
  expect(() => JSON.stringify(notAnAnswer('a plugin', {}))).toThrow(
    refusal('what the handler of signalbox(plugin) returns', 'a plugin'),
  )
  expect(() => JSON.stringify(notAnAnswer('a handler', () => 1))).toThrow(
    refusal('what the handler returns for an event and its context', 'a handler'),
  )
})

it('has the same refusal as a method', () => {
  const tool = { toJSON: refusalAsAnswer('a tool', 'its result') }
  expect(() => JSON.stringify(tool)).toThrow(refusal('its result', 'a tool'))
})
