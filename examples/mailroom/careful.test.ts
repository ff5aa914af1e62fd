import { describe, expect, it } from '@jest/globals'
import { memoryStore } from '@signalbox/core'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { carefulHandler } from './careful.ts'

const attach = (filename: string) =>
  [
    'Content-Type: multipart/mixed; boundary=part',
    '',
    '--part',
    'Content-Type: application/octet-stream',
    `Content-Disposition: attachment; filename="${filename}"`,
    '',
    'content',
    '--part--',
    '',
  ].join('\r\n')

const types = ({ actions }: { actions: readonly { action: { type: string } }[] }) =>
  actions.map(({ action }) => action.type)

describe('the careful mailroom', () => {
  it('sends back what brings a program along, and lets the rest pass', async () => {
    const mails = new Map([
      ['m-1', attach('invoice.pdf')],
      ['m-2', attach('invoice.pdf.EXE')],
    ])
    const handler = carefulHandler(messageId => mails.get(messageId) ?? '', memoryStore())
    const decided = await Promise.all(
      ['m-1', 'm-2'].map(messageId => handler(mailEvent({ messageId, invocationId: `i-${messageId}` }))),
    )
    expect(decided.map(types)).toEqual([['DEFAULT'], ['BOUNCE']])
  })

  it('decides about each mail once', async () => {
    let fetched = 0
    const handler = carefulHandler(() => {
      fetched++
      return attach('setup.exe')
    }, memoryStore())
    const first = await handler(mailEvent())
    expect(await handler(mailEvent())).toEqual(first)
    expect(fetched).toBe(1)
  })

  it('puts mail into the junk folder when reading it takes too long', async () => {
    const soon = { getRemainingTimeInMillis: () => 520 }
    const handler = carefulHandler(() => new Promise(() => {}), memoryStore())
    expect(types(await handler(mailEvent(), soon))).toEqual(['MOVE_TO_JUNK'])
    expect(types(await handler(mailEvent({ outbound: true, invocationId: 'x' }), soon))).toEqual(['DEFAULT'])
  })
})
