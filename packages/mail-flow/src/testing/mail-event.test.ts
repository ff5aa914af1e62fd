import { describe, expect, it } from '@jest/globals'
import { problems } from '@signalbox/codec'
import { MailEvent } from '../contract/index.ts'
import { mailEvent } from './mail-event.ts'

describe('mailEvent', () => {
  it('makes a valid event when it gets no options', () => {
    expect(problems(MailEvent, mailEvent())).toEqual([])
    expect(mailEvent()).toMatchObject({ flowDirection: 'INBOUND', truncated: false })
  })

  it('makes an event with the values in the options', () => {
    const options = {
      from: 'a@b.example',
      recipients: ['c@d.example', 'e@f.example'],
      sender: 'g@h.example',
      subject: '',
      outbound: true,
      truncated: true,
      summaryVersion: '2018-10-10',
      messageId: 'm',
      invocationId: 'i',
      client: { address: '192.0.2.1', helo: 'mx.b.example' },
      authentication: { spf: { result: 'pass', domain: 'b.example' } },
    } as const
    expect(mailEvent(options)).toEqual({
      summaryVersion: '2018-10-10',
      envelope: {
        mailFrom: { address: 'a@b.example' },
        recipients: [{ address: 'c@d.example' }, { address: 'e@f.example' }],
      },
      sender: { address: 'g@h.example' },
      subject: '',
      messageId: 'm',
      invocationId: 'i',
      flowDirection: 'OUTBOUND',
      truncated: true,
      client: options.client,
      authentication: options.authentication,
    })
    expect(mailEvent({ from: 'a@b.example' }).sender.address).toBe('a@b.example')
  })

  it.each(['ann@office.example', [{ address: 'ann@office.example' }]])(
    'refuses recipients that are not a list of addresses',
    recipients => {
      expect(() => mailEvent({ recipients: recipients as never })).toThrow(
        "mailEvent(): recipients expects a list: recipients: ['ann@office.example']",
      )
    },
  )

  it('refuses unknown options', () => {
    expect(() => mailEvent({ recipient: [] } as never)).toThrow('Did you mean recipients?')
  })
})
