import { describe, expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { mailFlow } from '../mail-flow.ts'
import { mailEvent, memoryMessages } from '../testing/index.ts'
import { messageApi } from './message-api.ts'

/** Returns clients with the interface of the SDK, and the calls of their methods. */
function clients() {
  const calls: unknown[] = []
  return {
    calls,
    messages: {
      async getRawMessageContent(input: object, options?: object) {
        calls.push(['get', input, Object.keys(options!)])
        return { messageContent: { transformToByteArray: async () => Buffer.from('Subject: Hello\r\n\r\n') } }
      },
      async putRawMessageContent(input: object) {
        calls.push(['put', input])
      },
    },
    objects: {
      async putObject(input: object) {
        calls.push(['object', input])
      },
    },
  }
}

describe('messageApi', () => {
  it('lets a function read and change a mail with the clients of the service', async () => {
    const { calls, ...given } = clients()
    const handler = signalbox(
      mailFlow(
        async mail => {
          await mail.replace(String(await mail.raw()).replace('Hello', 'Changed'))
        },
        { ...messageApi({ ...given, bucket: 'changes' }) },
      ),
    )
    const messageId = 'm-1'
    await handler(mailEvent({ messageId }))
    const key = expect.stringMatching(/^m-1\/[\da-f-]{36}$/)
    expect(calls).toEqual([
      ['get', { messageId }, ['abortSignal']],
      ['object', { Bucket: 'changes', Key: key, Body: 'Subject: Changed\r\n\r\n' }],
      ['put', { messageId, content: { s3Reference: { bucket: 'changes', key } } }],
    ])
    const [, [, { Key }], [, { content }]] = calls as never as [
      unknown,
      [string, { Key: string }],
      [string, never],
    ]
    expect(content).toEqual({ s3Reference: { bucket: 'changes', key: Key } })
  })

  it('only reads mails without a client of objects', () => {
    expect(Object.keys(messageApi({ messages: clients().messages }))).toEqual(['fetchMessage'])
  })

  it.each([
    [{}, 'messageApi() needs a client: messages: new WorkMailMessageFlow()'],
    [{ objects: clients().objects }, 'messageApi() needs objects and bucket together'],
    [{ bucket: 'changes' }, 'messageApi() needs objects and bucket together'],
    [{ objects: {}, bucket: 'changes' }, 'messageApi(): objects expects a client such as new S3()'],
    [{ buckets: 'changes' }, 'buckets'],
  ])('refuses %j', (options, message) => {
    const messages = message.includes('needs a client') ? undefined : clients().messages
    expect(() => messageApi({ messages, ...options } as never)).toThrow(message)
  })
})

describe('memoryMessages', () => {
  it('has the content that a function put', async () => {
    const messages = memoryMessages({ 'm-1': 'Subject: Hello\r\n\r\n' })
    const { content, ...options } = messages
    const handler = signalbox(mailFlow(async mail => mail.replace(`${await mail.raw()}More`), options))
    await handler(mailEvent({ messageId: 'm-1' }))
    expect(content('m-1')).toBe('Subject: Hello\r\n\r\nMore')
    expect(content('m-2')).toBeUndefined()
    await expect(handler(mailEvent({ messageId: 'm-2' }))).rejects.toThrow(
      'There is no mail with the id "m-2"',
    )
    await expect(messages.replaceMessage('m-2', '')).rejects.toThrow('"m-2"')
  })
})
