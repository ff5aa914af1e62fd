import { describe, expect, it } from '@jest/globals'
import { InvalidEventError, InvalidOptionError, SignalboxError, signalbox } from '@signalbox/core'
import { type Decide, type MailFlowOptions, mailFlow } from '@signalbox/mail-flow'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { queue } from '@signalbox/queue'
import { queueEvent } from '@signalbox/queue/testing'
import { workMailEvents } from '../../fixtures/others.ts'
import { sesEvents } from '../../fixtures/ses.ts'
import { aws, type SesBounce, type SesMailOptions, sesMail, sesRecord } from '../index.ts'
import { awsEvent, sesEvent } from '../testing/index.ts'

const [ann, gina] = ['ann@office.example', 'gina@office.example']
const toBoth = mailEvent({ recipients: [ann, gina] })

/** Returns what AWS gets from a function for an event: both are JSON. */
async function invoke(handler: (event: never, context?: never) => Promise<unknown>, event: unknown) {
  const context = { awsRequestId: 'request-7' }
  const answer = JSON.stringify(await handler(JSON.parse(JSON.stringify(event)) as never, context as never))
  return answer === undefined ? undefined : (JSON.parse(answer) as unknown)
}

const mailroom = (decide: Decide, options: MailFlowOptions = {}) => signalbox(mailFlow(decide, options))

/** Returns the answer to SES when a function decides about a mail to Ann and Gina. */
const decided = (decide: Decide, options?: SesMailOptions, event: object = sesEvent(toBoth)) =>
  invoke(aws(sesMail(mailroom(decide), options)), event)

describe('a mail that SES has received', () => {
  const seen = async (event: object) => {
    const mails: object[] = []
    await invoke(
      aws(
        sesMail(
          mailroom(mail => {
            mails.push(JSON.parse(JSON.stringify(mail)))
          }),
        ),
      ),
      event,
    )
    return mails[0]
  }

  it('reaches the function with sender, recipients of the envelope, author, subject and results', async () => {
    expect(await seen(sesEvents.received)).toMatchObject({
      summaryVersion: '2019-07-28',
      from: 'bounces+7=office.example@partner.example',
      recipients: [gina],
      sender: { address: 'rita@partner.example' },
      subject: 'Minutes of Tuesday',
      messageId: 'o3vrnil0e2ic28trm7dfhrc2v0clambda4nbp0g1',
      invocationId: 'request-7',
      flowDirection: 'INBOUND',
      truncated: false,
      authentication: {
        spf: { result: 'pass' },
        dkim: [{ result: 'none' }],
        dmarc: { result: 'fail', policy: 'quarantine' },
      },
    })
  })

  it('may lack a sender, an author, a subject, and results', async () => {
    const mail = await seen(sesEvents['report without headers'])
    expect(mail).toMatchObject({
      from: '',
      sender: { address: '' },
      subject: '',
      truncated: true,
    })
    expect(mail).toHaveProperty('authentication', {
      spf: { result: 'temperror' },
      dmarc: { result: 'none' },
    })
  })

  it('has a subject of at most 256 characters, and the id of the mail without an id of the request', async () => {
    const seen: string[] = []
    const handler = sesMail(
      mailroom(({ subject, correlationId }, actions) => {
        seen.push(subject, correlationId)
        return actions.default()
      }),
    )
    await handler(sesEvent({ ...toBoth, subject: '😀'.repeat(300) }))
    expect(seen).toEqual(['😀'.repeat(256), toBoth.messageId])
  })

  it('gives the function its record, with all headers and verdicts', async () => {
    const stopViruses: Decide = (mail, actions) =>
      sesRecord(mail)?.ses.receipt.virusVerdict.status === 'FAIL' ? actions.drop() : actions.default()
    expect(await decided(stopViruses, {}, sesEvent(toBoth, { virus: 'FAIL' }))).toEqual({
      disposition: 'STOP_RULE_SET',
    })
    expect(await decided(stopViruses)).toEqual({ disposition: 'CONTINUE' })
    expect(sesRecord(toBoth)).toBeUndefined()
  })

  it.each([
    ['without a mail', { eventSource: 'aws:ses', ses: { receipt: { recipients: [ann] } } }, '/messageId'],
    ['without a receipt', { eventSource: 'aws:ses', ses: { mail: { source: ann } } }, '/envelope/recipients'],
    ['without contents', { eventSource: 'aws:ses' }, '/envelope/mailFrom/address'],
  ])('is refused if its record is %s', async (_case, record, pointer) => {
    const refusal = decided(() => undefined, {}, { Records: [record] })
    await expect(refusal).rejects.toThrow(InvalidEventError)
    await expect(refusal).rejects.toThrow(pointer)
  })
})

describe('the answer to SES', () => {
  it.each<[string, Decide, object]>([
    ['nothing', () => undefined, { disposition: 'CONTINUE' }],
    ['DEFAULT for all', (_mail, actions) => actions.default(), { disposition: 'CONTINUE' }],
    ['DEFAULT for each', (mail, actions) => actions.default(mail.recipients), { disposition: 'CONTINUE' }],
    ['DROP for all', (_mail, actions) => actions.drop(), { disposition: 'STOP_RULE_SET' }],
    [
      'DROP for each',
      (_mail, actions) => actions.drop([ann, 'gina@OFFICE.example']),
      { disposition: 'STOP_RULE_SET' },
    ],
    [
      'DROP for another',
      (_mail, actions) => actions.drop(['carol@office.example']).default(),
      { disposition: 'CONTINUE' },
    ],
  ])('for %s', async (_case, decide, answer) => {
    expect(await decided(decide)).toEqual(answer)
  })

  it('for an asynchronous function is CONTINUE', async () => {
    const handler = signalbox(mailFlow<'async'>(() => undefined, { mode: 'async' }))
    expect(await invoke(aws(sesMail(handler)), sesEvent(toBoth, { invocationType: 'Event' }))).toEqual({
      disposition: 'CONTINUE',
    })
    await expect(invoke(aws(sesMail(handler)), sesEvent(toBoth))).rejects.toThrow(
      'it is missing, expected the response of mailFlow()',
    )
  })

  it('decides about one mail', async () => {
    const { Records } = sesEvent(toBoth)
    const refusal = decided((_mail, actions) => actions.drop(), {}, { Records: [...Records, ...Records] })
    await expect(refusal).rejects.toThrow('the event has 2 records, expected one')
  })

  it.each<[string, Decide, string]>([
    [
      'the junk folder',
      (_mail, actions) => actions.moveToJunk(),
      `MOVE_TO_JUNK for ${ann} is not possible, expected DEFAULT, DROP or BOUNCE`,
    ],
    [
      'no spam check',
      (_mail, actions) => actions.bypassSpamCheck([gina]).default(),
      `BYPASS_SPAM_CHECK for ${gina} is not possible`,
    ],
    [
      'some recipients only',
      (_mail, actions) => actions.drop([gina]).default(),
      `DROP for ${gina} differs from DEFAULT for ${ann}, expected the mail to continue or to stop for all recipients`,
    ],
    [
      'an added recipient',
      (_mail, actions) => actions.default(['archive@office.example']).default(),
      'DEFAULT for archive@office.example adds a recipient, expected recipients of the mail',
    ],
    [
      'a bounce without sendBounce',
      (_mail, actions) => actions.bounce('Left the company'),
      'BOUNCE is not possible, expected the option sendBounce of sesMail()',
    ],
  ])('for %s is an error that says what a receipt rule can do', async (_case, decide, why) => {
    const refusal = decided(decide)
    await expect(refusal).rejects.toThrow(`A receipt rule of SES cannot carry out the decision: ${why}`)
    await expect(refusal).rejects.toThrow(SignalboxError)
    await expect(refusal).rejects.toMatchObject({ code: 'UNSUPPORTED_DECISION' })
  })

  it('for a decision that SES ignores is an error, and no bounce is sent', async () => {
    const sent: SesBounce[] = []
    const event = sesEvent(toBoth, { invocationType: 'Event' })
    for (const decide of [(_, actions) => actions.drop(), (_, actions) => actions.bounce()] as Decide[])
      await expect(decided(decide, { sendBounce: bounce => sent.push(bounce) }, event)).rejects.toThrow(
        'SES ignores it, expected the invocation type RequestResponse in the rule',
      )
    expect(sent).toEqual([])
    expect(await decided((_, actions) => actions.default(), {}, event)).toEqual({ disposition: 'CONTINUE' })
  })
})

describe('the option sendBounce', () => {
  const sender = (sent: SesBounce[]): SesMailOptions => ({
    async sendBounce(bounce) {
      await Promise.resolve()
      sent.push(bounce)
    },
  })

  it('gets a bounce for all recipients, and the mail ends', async () => {
    const sent: SesBounce[] = []
    const answer = await decided((_mail, actions) => actions.bounce('Left the company'), sender(sent))
    expect(answer).toEqual({ disposition: 'STOP_RULE_SET' })
    expect(sent).toEqual([
      {
        messageId: toBoth.messageId,
        sender: toBoth.envelope.mailFrom.address,
        recipients: [ann, gina],
        message: 'Left the company',
      },
    ])
  })

  it('is called for each text, and not for recipients whose mail is dropped', async () => {
    const sent: SesBounce[] = []
    const carol = 'carol@office.example'
    await decided(
      (_mail, actions) => actions.bounce('Away', [ann]).bounce(undefined, [gina]).drop(),
      sender(sent),
      sesEvent(mailEvent({ recipients: [ann, gina, carol] })),
    )
    expect(sent).toMatchObject([
      { recipients: [ann], message: 'Away' },
      { recipients: [gina], message: undefined },
    ])
  })

  it('gets no bounce for a report, which has no sender', async () => {
    const sent: SesBounce[] = []
    for (const event of [
      sesEvent({ ...toBoth, ...mailEvent({ from: '' }) }),
      sesEvents['report without headers'],
    ])
      expect(await decided((_mail, actions) => actions.bounce(), sender(sent), event)).toEqual({
        disposition: 'STOP_RULE_SET',
      })
    expect(sent).toEqual([])
  })

  it('is not called when some recipients get the mail', async () => {
    const sent: SesBounce[] = []
    await expect(
      decided((_mail, actions) => actions.bounce('Away', [ann]).default(), sender(sent)),
    ).rejects.toThrow(`BOUNCE for ${ann} differs from DEFAULT for ${gina}`)
    expect(sent).toEqual([])
  })

  it('fails the invocation when it fails', async () => {
    const failing = { sendBounce: () => Promise.reject(new Error('Throttled')) }
    await expect(decided((_mail, actions) => actions.bounce(), failing)).rejects.toThrow('Throttled')
  })
})

describe('one function for all services', () => {
  const everything = signalbox(
    mailFlow((_mail, actions) => actions.drop()),
    queue({ onMessage: () => {} }),
  )

  it.each([
    ['aws(sesMail(…))', aws(sesMail(everything))],
    ['sesMail(aws(…))', sesMail(aws(everything))],
  ])(
    'decides about mail of SES, WorkMail and a platform, and processes batches: %s',
    async (_form, handler) => {
      const asked = handler as (event: never) => Promise<unknown>
      const drop = { actions: [{ action: { type: 'DROP' }, allRecipients: true }] }
      expect(await invoke(asked, sesEvents.received)).toEqual({ disposition: 'STOP_RULE_SET' })
      expect(await invoke(asked, workMailEvents.inbound)).toEqual(drop)
      expect(await invoke(asked, toBoth)).toEqual(drop)
      expect(await invoke(asked, awsEvent(queueEvent({ bodies: ['a'] })))).toEqual({ batchItemFailures: [] })
    },
  )
})

describe('sesMail()', () => {
  it('refuses a plugin, an unknown option, and a sendBounce that is not a function', () => {
    const plugin = mailFlow(() => undefined)
    expect(() => sesMail(plugin as never)).toThrow('sesMail(signalbox(mailFlow(…)))')
    const handler = signalbox(plugin)
    expect(() => sesMail(handler, { sendBounces: () => {} } as never)).toThrow('Did you mean sendBounce?')
    expect(() => sesMail(handler, { sendBounce: 'yes' } as never)).toThrow(InvalidOptionError)
  })

  it('refuses the result of a handler that decided about no mail', async () => {
    await expect(sesMail(async () => ({ statusCode: 200 }))(sesEvents.received)).rejects.toThrow(
      'expected the response of mailFlow()',
    )
  })
})

describe('sesEvent()', () => {
  it('refuses an unknown option', () => {
    expect(() => sesEvent(toBoth, { spa: 'FAIL' } as never)).toThrow('Did you mean spam?')
  })
})
