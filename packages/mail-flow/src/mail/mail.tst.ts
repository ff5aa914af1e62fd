import { describe, expect, test } from 'tstyche'
import { mailFlow } from '../index.ts'
import type { Mail, MessageOptions, ReplaceMessage } from './mail.ts'

declare const mail: Mail

describe('mail.replace', () => {
  test('takes a text or bytes, such as what raw() returns', () => {
    expect(mail.replace).type.toBeCallableWith('Subject: Hi\r\n\r\n')
    expect(mail.replace).type.toBeCallableWith(new Uint8Array())
    expect(mail.replace).type.toBeCallableWith({} as Awaited<ReturnType<Mail['raw']>>)
    expect(mail.replace).type.not.toBeCallableWith({ subject: 'Hi' })
    expect(mail.replace).type.not.toBeCallableWith()
    expect(mail.replace).type.not.toBeCallableWith(undefined)
  })

  test('returns a promise, so that a linter finds a call without await', () => {
    expect(mail.replace('')).type.toBe<Promise<void>>()
  })

  test('uses an option of mailFlow(), whose function may be synchronous or not', () => {
    expect<MessageOptions>().type.toBeAssignableFrom({ replaceMessage: async () => 'done' })
    expect<ReplaceMessage>().type.toBeAssignableFrom((_id: string, _raw: string | Uint8Array) => {})
    expect(mailFlow).type.toBeCallableWith(
      async (received: Mail) => {
        await received.replace('')
      },
      { replaceMessage: () => {} },
    )
  })
})
