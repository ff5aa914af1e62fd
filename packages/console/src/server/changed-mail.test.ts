import { expect, it } from '@jest/globals'
import { offerTestMail } from '@signalbox/platform-mail/testing/offer-mail'
import { putContent } from '@signalbox/platform-mail/testing/put-content'
import { type ConsolePlatform, consolePlatform } from '../testing/console-platform.ts'

it.each(['mail', 'mail over LMTP'])(
  'the text of a mail that a function has changed is shown, when it came by %s',
  async door => {
    const errors: unknown[] = []
    const mark = (raw: string) =>
      raw.replace('Subject: Hello', 'Subject: [External] Hello').replace('Hi!', 'Changed')
    const handler = async ({ messageId }: { readonly messageId: string }) => {
      errors.push(await putContent(setup.origin, messageId, mark))
      return { actions: [{ action: { type: 'DEFAULT' }, allRecipients: true }] }
    }
    await using setup: ConsolePlatform = await consolePlatform({
      functions: { sort: { handler } },
      mail: {
        ...{ port: 0, lmtp: { port: 0 } },
        domains: { 'office.example': { to: 'mailboxes' } },
        rules: [{ direction: 'INBOUND', function: 'sort', decide: 'before' }],
      },
    })
    const [reply = ''] = await offerTestMail(setup.url(door))
    const id = /Stored as (\S+)/.exec(reply)![1]!
    expect(errors).toEqual([undefined])
    const changed = { subject: '[External] Hello', text: expect.stringContaining('Changed') }
    expect(await setup.api.get('/mail/{id}', { params: { id } })).toMatchObject({
      status: 200,
      body: { mail: { subject: '[External] Hello' }, content: changed },
    })
    const source = await setup.fetch(`/console/api/mail/${id}/source`)
    expect(await source.text()).toMatch(/^Subject: \[External\] Hello\r\n\r\nChanged\r\n$/m)
    // Its mailbox gets it in the background.
    const params = { address: 'bob@office.example' }
    for (;;) {
      const { body } = await setup.api.get('/mailboxes/{address}', { params })
      const [mail] = body as readonly { readonly id: string }[]
      if (mail === undefined) continue
      const read = await setup.api.get('/mailboxes/{address}/{id}', { params: { ...params, id: mail.id } })
      return expect(read).toMatchObject({ status: 200, body: changed })
    }
  },
)
