import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import middy from '@middy/core'
import { memoryStore, signalbox } from '@signalbox/core'
import { invocationContext, manualClock } from '@signalbox/core/testing'
import {
  ConflictingActionsError,
  DecisionTimeoutError,
  decideMail,
  InboundOnlyActionError,
  InvalidAddressError,
  InvalidBounceMessageError,
  MailNotParsedError,
  mailActions,
  mailFlow,
  mailFlowFamily,
  mailFlowNormalizer,
  mailFlowSerializer,
  mailFlowValidator,
  once,
  parseMail,
  ResponseTooLargeError,
  TooManyActionsError,
  TooManyRecipientsError,
  UnlistedRecipientError,
} from '@signalbox/mail-flow'
import { mailVerdict, retrySchedule } from '@signalbox/mail-flow/contract'
import { messageApi, platformMessages } from '@signalbox/mail-flow/message-api'
import { mailEvent, mailEventMutators } from '@signalbox/mail-flow/testing'
import type { Features } from '../features.ts'

const [ann, gina] = ['ann@office.example', 'gina@office.example'] as const
const event = mailEvent({ recipients: [ann, gina] })
const raw = `From: Rita <rita@partner.example>\r\nTo: ${ann}\r\nSubject: =?utf-8?q?Caf=C3=A9?=\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nHello\r\n--b\r\nContent-Type: text/csv; name=a.csv\r\nContent-Disposition: attachment; filename=a.csv\r\n\r\n1;2\r\n--b--\r\n`

/** The features in the README of `@signalbox/mail-flow`. */
export const features: Features = {
  async 'bounce, default, and the verdict'() {
    const handler = signalbox(
      mailFlow((mail, actions) => {
        assert.deepEqual([mail.inbound, mail.outbound, mail.recipients], [true, false, [ann, gina]])
        assert.deepEqual([mail.from, mail.correlationId], ['rita@partner.example', event.invocationId])
        return actions.bounce('Gina has left.', [gina]).default()
      }),
    )
    const { recipients } = mailVerdict(JSON.stringify(await handler(event)), event, { fallback: 'DROP' })
    assert.deepEqual(
      recipients.map(({ disposition }) => disposition),
      ['deliver', 'bounce'],
    )
  },
  async 'drop, bypassSpamCheck and moveToJunk'() {
    const response = mailActions(event).bypassSpamCheck([ann]).moveToJunk([gina]).drop().response()
    assert.equal(response.actions.length, 3)
    const plain = signalbox(
      mailFlow(() => ({ actions: [{ allRecipients: true, action: { type: 'DROP' } }] })),
    )
    assert.ok(await plain(event))
  },
  'the errors of actions'() {
    const outbound = mailActions(mailEvent({ outbound: true, recipients: [ann] }))
    const actions = () => mailActions(event)
    assert.throws(() => actions().drop([ann]).bounce('a', [ann]), ConflictingActionsError)
    assert.throws(() => actions().drop(['no address']), InvalidAddressError)
    assert.throws(() => outbound.drop(['b@other.example']), UnlistedRecipientError)
    assert.throws(() => outbound.moveToJunk(), InboundOnlyActionError)
    assert.throws(() => actions().bounce([gina] as never), InvalidBounceMessageError)
    const many = (count: number) => Array.from({ length: count }, (_, i) => `r${i}@office.example`)
    assert.throws(() => {
      const each = mailActions(mailEvent({ recipients: many(11) }))
      for (const address of many(11)) each.bounce(`for ${address}`, [address])
    }, TooManyActionsError)
    const large = mailActions(mailEvent({ outbound: true, recipients: many(501) }))
    assert.throws(() => large.drop(many(501)), TooManyRecipientsError)
    assert.throws(() => actions().bounce('x'.repeat(300_000)).response(), ResponseTooLargeError)
  },
  async 'raw() and parsed(), with fetchMessage'() {
    const handler = signalbox(
      mailFlow(
        async (mail, actions) => {
          assert.equal(await mail.raw(), raw)
          const { subject, text, attachments } = await mail.parsed()
          return actions.bounce(`${subject}: ${text?.trim()}, ${attachments[0]?.filename}`)
        },
        { fetchMessage: () => raw },
      ),
    )
    assert.match(JSON.stringify(await handler(event)), /"bounceMessage":"Café: Hello, a.csv"/)
  },
  async 'replace(), with messageApi()'() {
    const put: unknown[] = []
    const api = messageApi({
      messages: {
        getRawMessageContent: async () => ({
          messageContent: { transformToByteArray: async () => Buffer.from(raw) },
        }),
        putRawMessageContent: async input => put.push(input.messageId),
      },
      objects: { putObject: async input => put.push(input.Body) },
      bucket: 'changes',
    })
    await signalbox(mailFlow(async mail => mail.replace(`${Buffer.from(await mail.raw())}More`), api))(event)
    assert.deepEqual(put, [`${raw}More`, event.messageId])
  },
  async 'replace(), with platformMessages()'() {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.headers.authorization} ${request.url?.split('/')[1]}`)
      response.end(raw)
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const messages = platformMessages({ url, token: 'a.b' })
    await signalbox(mailFlow(async mail => mail.replace(await mail.raw()), messages))(event)
    server.close()
    assert.deepEqual(asked, ['GET Bearer a.b messages', 'PUT Bearer a.b objects', 'POST Bearer a.b messages'])
  },
  async 'parseMail() and its limits'() {
    assert.equal((await parseMail(Buffer.from(raw))).from?.address, 'rita@partner.example')
    for (const limits of [{ maxSize: 9 }, { maxLines: 2 }, { maxParts: 1 }])
      await assert.rejects(parseMail(raw, limits), MailNotParsedError)
    const attached = `Content-Type: message/rfc822\r\n\r\nContent-Type: message/rfc822\r\n\r\n${raw}`
    await assert.rejects(parseMail(attached, { maxDepth: 1 }), MailNotParsedError)
  },
  async parseMessage() {
    const handler = signalbox(
      mailFlow(async (mail, actions) => actions.bounce((await mail.parsed()).subject), {
        fetchMessage: () => raw,
        parseMessage: text => ({ headers: [], attachments: [], subject: `${String(text).length}` }),
      }),
    )
    assert.match(JSON.stringify(await handler(event)), new RegExp(`"${raw.length}"`))
  },
  async replaceMessage() {
    const put: unknown[] = []
    const options = { fetchMessage: () => raw, replaceMessage: (...call: unknown[]) => put.push(call[1]) }
    await signalbox(mailFlow(async mail => mail.replace(`${await mail.raw()}More`), options))(event)
    assert.deepEqual(put, [`${raw}More`])
  },
  async 'the error without fetchMessage says what to do'() {
    const handler = signalbox(mailFlow(async (mail, actions) => actions.bounce(String(await mail.raw()))))
    await assert.rejects(handler(event), /needs the option fetchMessage/)
  },
  async 'onTimeout, reserve and clock'() {
    const decide = (options: object) => {
      const clock = manualClock()
      const context = invocationContext({ timeout: 15_000, clock })
      const handler = signalbox(
        mailFlow(
          async (_mail, actions, { signal }) => {
            await new Promise(resolve => signal.addEventListener('abort', resolve))
            return actions.default()
          },
          { clock, reserve: 1000, ...options },
        ),
      )
      const answer = handler(event, context)
      const advance = setInterval(() => clock.advance(1000), 1)
      return answer.finally(() => clearInterval(advance))
    }
    const late = decide({
      onTimeout: (_: unknown, actions: ReturnType<typeof mailActions>) => actions.drop(),
    })
    assert.match(JSON.stringify(await late), /DROP/)
    await assert.rejects(decide({}), DecisionTimeoutError)
  },
  async 'overflow, onWarnings and mode'() {
    const warnings: unknown[] = []
    const many = Array.from({ length: 12 }, (_, i) => `r${i}@office.example`)
    const handler = signalbox(
      mailFlow(
        (mail, actions) => {
          for (const address of mail.recipients) actions.bounce(`for ${address}`, [address])
          return actions
        },
        { overflow: 'fallback', onWarnings: each => void warnings.push(...each) },
      ),
    )
    assert.ok(await handler(mailEvent({ recipients: many })))
    assert.match(JSON.stringify(warnings), /overflow/)
    assert.equal(await signalbox(mailFlow(() => {}, { mode: 'async' }))(event), undefined)
  },
  async 'once()'() {
    let calls = 0
    const decide = mailFlow((_mail, actions) => actions.bounce(`${++calls}`), {
      once: once({ store: memoryStore() }),
    })
    const handler = signalbox(decide)
    assert.deepEqual(await handler(event), await handler(event))
    assert.equal(calls, 1)
  },
  async 'the pieces in a middy stack'() {
    const handler = middy()
      .use([mailFlowNormalizer(), mailFlowValidator(), mailFlowSerializer()])
      .handler(decideMail((mail, actions) => (mail.inbound ? actions.default() : actions.drop())))
    assert.match(JSON.stringify(await handler(event, {} as never)), /DEFAULT/)
  },
  'its family, builders of events, and the schedule of retries'() {
    assert.ok(mailFlowFamily.recognizes(event))
    assert.ok(mailEventMutators.length > 0)
    assert.ok(retrySchedule(60).retries.length > 1)
  },
}
