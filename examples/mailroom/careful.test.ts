import { describe, expect, it } from '@jest/globals'
import { memoryStore } from '@signalbox/core'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { carefulHandler } from './careful.ts'

const attach = (disposition: string, type = 'application/octet-stream', content = 'content') =>
  [
    'Content-Type: multipart/mixed; boundary=part',
    '',
    '--part',
    `Content-Type: ${type}`,
    `Content-Disposition: ${disposition}`,
    '',
    content,
    '--part--',
    '',
  ].join('\r\n')

const types = ({ actions }: { actions: readonly { action: { type: string } }[] }) =>
  actions.map(({ action }) => action.type)

const decide = async (raw: string) => {
  const handler = carefulHandler(() => raw, memoryStore())
  return types(await handler(mailEvent()))
}

describe('the careful mailroom', () => {
  it('delivers mail without programs', async () => {
    expect(await decide('Subject: Hello\r\n\r\nHi!\r\n')).toEqual(['DEFAULT'])
    expect(await decide(attach('attachment; filename="invoice.pdf"'))).toEqual(['DEFAULT'])
  })

  it.each([
    'attachment; filename="invoice.pdf.EXE"',
    'attachment; filename="setup.exe."',
    "attachment; filename*=UTF-8''setup%2Eexe",
    'attachment; filename*0="setup.e"; filename*1="xe"',
    'attachment; filename="=?utf-8?q?setup=2Eexe?="',
    `attachment; filename*=UTF-8''invoice%E2%80%AEfdp.exe`,
    'inline; filename=setup.exe',
  ])('bounces a mail with Content-Disposition: %s', async disposition => {
    expect(await decide(attach(disposition))).toEqual(['BOUNCE'])
  })

  it('bounces a mail whose attached mail contains a program', async () => {
    const forwarded = attach('attachment; filename=setup.exe')
    for (const disposition of ['attachment; filename=forwarded.eml', 'inline'])
      expect(await decide(attach(disposition, 'message/rfc822', forwarded))).toEqual(['BOUNCE'])
    expect(await decide(attach('attachment', 'message/rfc822', 'Subject: Hello\r\n\r\nHi!'))).toEqual([
      'DEFAULT',
    ])
  })

  it('bounces a mail with 200,000 parts, because it cannot parse so many', async () => {
    const parts = `Content-Type: multipart/mixed; boundary=x\r\n\r\n${'--x\r\n\r\n'.repeat(200_000)}`
    expect(await decide(`${parts}--x\r\n\r\n${attach('attachment; filename=setup.exe')}`)).toEqual(['BOUNCE'])
  })

  it('throws when it cannot fetch the mail, so that the platform tries again', async () => {
    const handler = carefulHandler(() => Promise.reject(new Error('not now')), memoryStore())
    await expect(handler(mailEvent())).rejects.toThrow('not now')
  })

  it('makes only one decision for each mail', async () => {
    let fetched = 0
    const handler = carefulHandler(() => {
      fetched++
      return attach('attachment; filename=setup.exe')
    }, memoryStore())
    const first = await handler(mailEvent())
    expect(await handler(mailEvent())).toEqual(first)
    expect(fetched).toBe(1)
  })

  it('moves a mail to junk when reading it takes too long', async () => {
    const soon = { getRemainingTimeInMillis: () => 520 }
    const handler = carefulHandler(() => new Promise(() => {}), memoryStore())
    expect(types(await handler(mailEvent(), soon))).toEqual(['MOVE_TO_JUNK'])
    expect(types(await handler(mailEvent({ outbound: true, invocationId: 'x' }), soon))).toEqual(['BOUNCE'])
  })
})
