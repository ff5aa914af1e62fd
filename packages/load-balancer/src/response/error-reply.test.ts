import { expect, it } from '@jest/globals'
import { changedErrorReply, changeErrorReply } from './error-reply.ts'

it('changedErrorReply() applies the changes for an event in order, and applies each change only once', () => {
  const event = {}
  const reply = { statusCode: 500 }
  changeErrorReply(event, before => ({ ...before, body: `${before.statusCode}` }))
  changeErrorReply(event, before => ({ ...before, body: `${before.body}!` }))
  expect(changedErrorReply({}, reply)).toBe(reply)
  expect(changedErrorReply(event, reply)).toEqual({ statusCode: 500, body: '500!' })
  expect(changedErrorReply(event, reply)).toBe(reply)
})
