import { describe, expect, it } from '@jest/globals'
import { customMessageEvent } from '../testing/index.ts'
import { escapeHtml, message } from './message.ts'

const event = customMessageEvent(
  { codeParameter: '{####}', usernameParameter: '{username}', linkParameter: '{##Verify##}' },
  { userName: '<ada>' },
)

describe('message', () => {
  it('replaces the placeholders of a template with those of the request', () => {
    const route = message({
      sms: 'Hello {username}, your code is {code}',
      email: { subject: 'Code for {username}', html: '<p>{code}, or {link}</p>' },
    })
    expect(route(event)).toEqual({
      smsMessage: 'Hello {username}, your code is {####}',
      emailSubject: 'Code for {username}',
      emailMessage: '<p>{####}, or {##Verify##}</p>',
    })
  })

  it('uses the user name, escaped in HTML, when the request has no username placeholder', () => {
    const unnamed = customMessageEvent(
      { usernameParameter: null, linkParameter: null },
      { userName: '<ada>' },
    )
    expect(
      message({ sms: '{username} {code}', email: { subject: 's', html: '{username} {code} {link}' } })(
        unnamed,
      ),
    ).toEqual({
      smsMessage: '<ada> {####}',
      emailSubject: 's',
      emailMessage: '&#60;ada&#62; {####} ',
    })
  })

  it('escapes values only in HTML', () => {
    const route = message(
      { sms: '{nick}: {code}', email: { subject: 'Hi {nick}', html: '<p title="{nick}">{code}' } },
      () => ({ nick: `"><script>alert('&')</script>` }),
    )
    const answer = route(event)
    expect(answer.emailMessage).toBe(
      '<p title="&#34;&#62;&#60;script&#62;alert(&#39;&#38;&#39;)&#60;/script&#62;">{####}',
    )
    expect(answer.smsMessage).toContain('<script>')
    expect(answer.emailSubject).toContain('<script>')
  })

  it('replaces neither braces in style sheets nor placeholders inside values', () => {
    const route = message(
      { email: { subject: 's', html: '<style>p { margin: 0 }</style>{code} {nick}' } },
      () => ({
        nick: '{code}',
      }),
    )
    expect(route(event).emailMessage).toBe('<style>p { margin: 0 }</style>{####} {code}')
  })

  it('keeps a subject on one line when a value has line breaks', () => {
    const route = message({ email: { subject: 'Hi {nick}', html: '{code}' } }, () => ({
      nick: 'Ada\r\nBcc: eve@example.com',
    }))
    expect(route(event).emailSubject).toBe('Hi Ada Bcc: eve@example.com')
  })

  it('converts values to strings', () => {
    const route = message({ email: { subject: '{n}', html: '{code} {n}' } }, () => ({ n: 7 as never }))
    expect(route(event)).toEqual({ emailSubject: '7', emailMessage: '{####} 7' })
  })

  it.each<[string, object, string]>([
    ['templates without a message', {}, 'message() needs sms or email'],
    [
      'an e-mail without a subject',
      { email: { html: '{code}' } },
      'email.subject is a string, not undefined',
    ],
    [
      'an e-mail that is a string',
      { email: '{code}' },
      'message() email takes an object of subject, html, not string',
    ],
    [
      'an unknown placeholder in a subject',
      { email: { subject: 'Hi {usrname}', html: '{code}' } },
      'email.subject has a placeholder {usrname} without a value. Did you mean {username}?',
    ],
    ['an SMS without a code', { sms: 'Hello' }, 'message(): sms must contain {code}'],
    [
      'an e-mail without a code',
      { email: { subject: '{code}', html: 'x' } },
      'email.html must contain {code}',
    ],
    [
      'an unknown placeholder',
      { sms: '{code} {usernam}' },
      'a placeholder {usernam} without a value. Did you mean {username}?',
    ],
    [
      'a placeholder that resembles no known one',
      { sms: '{code} {nick}' },
      '{nick} without a value. Give its value in the second argument.',
    ],
    ['an unknown kind of message', { sns: '{code}' }, 'message() has no option "sns". Did you mean sms?'],
    [
      'an unknown part of an e-mail',
      { email: { subject: '', body: '{code}' } },
      'message() email has no option "body"',
    ],
    [
      'an SMS that is too long for any code',
      { sms: `{code}${'🙂'.repeat(135)}` },
      'message(): sms has at least 141 characters, expected at most 140.',
    ],
    [
      'an e-mail that is too long for any code',
      { email: { subject: '', html: `{username}{code}${'x'.repeat(19_995)}` } },
      'message(): email.html has at least 20001 characters, expected at most 20000.',
    ],
  ])('immediately refuses %s', (_, templates, problem) => {
    expect(() => message(templates as never)).toThrow(problem)
  })

  it('accepts a text that is short enough for an empty value', () => {
    const sms = `{code}${'x'.repeat(134)}{nick}`
    expect(message({ sms }, () => ({ nick: '' }))(event).smsMessage).toHaveLength(140)
  })

  it('refuses values that are a promise, whose placeholders would reach the user', () => {
    const route = message({ sms: '{code} {nick}' }, (async () => ({ nick: 'Ada' })) as never)
    expect(() => route(event)).toThrow('message(): values returned a promise, expected an object')
  })

  it('does not replace a placeholder that has no value', () => {
    const route = message({ sms: '{code} {nick}' }, () => ({}) as never)
    expect(route(event).smsMessage).toBe('{####} {nick}')
  })
})

it('escapeHtml() escapes the special characters of HTML', () => {
  expect(escapeHtml(`&<>"'a`)).toBe('&#38;&#60;&#62;&#34;&#39;a')
})
