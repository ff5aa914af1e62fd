import { describe, expect, test } from 'tstyche'
import type { Routes } from '../index.ts'
import { message } from './message.ts'

describe('message', () => {
  test('returns a route that can be used for every custom-message source', () => {
    const routes = {
      CustomMessage: message({ sms: 'Your code is {code}' }),
      CustomMessage_AdminCreateUser: message({
        email: { subject: 'Welcome', html: '<style>p { margin: 0 }</style><p>{username}: {code}' },
      }),
    } satisfies Routes
    expect(routes).type.toBeAssignableTo<Routes>()
  })

  test('finds a placeholder even after a long style sheet', () => {
    type Rule = 'p { margin: 0 } '
    type Ten<T extends string> = `${T}${T}${T}${T}${T}${T}${T}${T}${T}${T}`
    const html = '' as `<style>${Ten<Ten<Rule>>}</style>{name}: {code}`
    message({ email: { subject: '', html } }, () => ({ name: 'Ada' }))
    // @ts-expect-error Expected 2 arguments, but got 1
    message({ email: { subject: '', html } })
  })

  test('requires {code} in every message', () => {
    // @ts-expect-error Type '"Hello"' is not assignable to type '"a message must contain {code}"'
    message({ sms: 'Hello' })
    // @ts-expect-error Type '"<p>Hello"' is not assignable to type '"a message must contain {code}"'
    message({ email: { subject: 'Hi {code}', html: '<p>Hello' } })
  })

  test('requires a function for the placeholder values, and passes the event to it', () => {
    message({ sms: '{name}, your code is {code}' }, event => {
      expect(event.request.codeParameter).type.toBe<string>()
      return { name: event.userName }
    })
    // @ts-expect-error Expected 2 arguments, but got 1
    message({ sms: '{name}, your code is {code}' })
    // @ts-expect-error Property 'name' is missing
    message({ sms: '{name}, your code is {code}' }, () => ({}))
  })
})
