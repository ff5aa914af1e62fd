import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { type HeadOf, head, mailOf } from '../testing/head-arbitrary.ts'
import { type ChangedHeader, type MilterClient, milterClient } from '../testing/milter-client.ts'
import { testMilter } from '../testing/test-milter.ts'

const received = 'Received: by mail.office.example'

/**
 * Makes the changes as Postfix does, and returns the head without its own trace line: a new header is put at a position that counts
 * this line, and the other changes skip the first header.
 */
function applied(old: HeadOf, changes: readonly ChangedHeader[]): readonly string[] {
  const list = [received, ...old.map(([name, value]) => `${name}:${value.replaceAll('\r\n', '\n')}`)]
  for (const { code, index, name, value } of changes)
    if (code === 'i') list.splice(index, 0, `${name}:${value}`)
    else {
      const places = [...list.keys()].slice(1)
      const same = places.filter(at => list[at]!.toLowerCase().startsWith(`${name.toLowerCase()}:`))
      expect(same.length).toBeGreaterThanOrEqual(index)
      list.splice(same[index - 1]!, 1, ...(value === '' ? [] : [`${name}:${value}`]))
    }
  return list.filter(line => line !== received)
}

const body = fc.constantFrom(
  '',
  'Hi!\r\n',
  '.\r\n..\r\n',
  'x'.repeat(65_535),
  `${'y'.repeat(78)}\r\n`.repeat(2000),
)

/** Asks about a mail. */
const asked = (client: MilterClient, before: HeadOf, text: string) =>
  client.ask({
    headers: before.map(
      ([name, value]) => [name, Buffer.from(value.replaceAll('\r\n', '\n'), 'latin1')] as const,
    ),
    body: text,
  })

describe('a content that a function has put', () => {
  it('is made of any mail by the changes of a milter', async () => {
    let after: Buffer = Buffer.alloc(0)
    await using milter = await testMilter(() => ({ type: 'DEFAULT' }), { content: () => after })
    await using client = await milterClient(milter.url)
    await fc.assert(
      fc.asyncProperty(head, head, body, body, async (before, own, text, changed) => {
        after = mailOf(own, changed)
        const answer = await asked(client, before, text)
        expect(answer.reply).toBe('c')
        const expected = own.map(([name, value]) => `${name}:${value.replaceAll('\r\n', '\n')}`)
        expect(applied(before, answer.headers)).toEqual(expected)
        expect((answer.body ?? Buffer.from(text)).equals(Buffer.from(changed))).toBe(true)
      }),
    )
  })

  it('comes without the space behind the colon if the mail server adds it', async () => {
    const content = () =>
      mailOf([
        ['Subject', ' New'],
        ['X-A', '\ttab'],
      ])
    await using milter = await testMilter(() => ({ type: 'DEFAULT' }), { content })
    await using client = await milterClient(milter.url, { steps: 0 })
    const { changes } = await asked(client, [['Subject', ' Old']], 'Hi!\r\n')
    expect(changes).toEqual(['i 2 X-A:\ttab', 'm 1 Subject:New'])
  })

  it('has the spam flag that the decision asks for', async () => {
    let after = mailOf([
      ['Subject', ' New'],
      ['x-spam-flag', ' no'],
    ])
    await using milter = await testMilter(() => ({ type: 'MOVE_TO_JUNK' }), { content: () => after })
    await using client = await milterClient(milter.url)
    const changes = async () => (await asked(client, [['Subject', ' Old']], 'Hi!\r\n')).changes
    expect(await changes()).toEqual(['m 1 Subject: New', 'i 0 X-Spam-Flag: YES'])
    after = mailOf([
      ['X-Spam-Flag', ' YES'],
      ['Subject', ' Old'],
    ])
    expect(await changes()).toEqual(['i 0 X-Spam-Flag: YES'])
  })

  it('is told to Stalwart with the places that it knows', async () => {
    const content = () =>
      mailOf([
        ['X-A', ' one'],
        ['X-A', ' two\r\n three'],
        ['X-B', ' new'],
      ])
    await using milter = await testMilter(() => ({ type: 'DEFAULT' }), { content })
    await using client = await milterClient(milter.url)
    await client.event('D', Buffer.from('C'), '{daemon_name}', 'Stalwart SMTP')
    await client.event('C', 'client.example', Buffer.from(['4'.charCodeAt(0), 0, 25]), '192.0.2.7')
    const { changes } = await asked(client, [['X-A', ' one']], 'Hi!\r\n')
    expect(changes).toEqual(['i 0 X-B: new', 'i 1 X-A: one', 'm 2 X-A: two\r\n three'])
  })

  it('refuses the mail for now if the mail server cannot make these changes', async () => {
    const content = () => mailOf([['X-A', ' with \0 in it']])
    await using milter = await testMilter(() => ({ type: 'DEFAULT' }), { content })
    await using client = await milterClient(milter.url)
    expect((await asked(client, [], 'Hi!\r\n')).reply).toBe(
      'y 451 4.3.5 A header that is new or changed has a NUL, which the mail server that asked cannot be told.',
    )
    await using poor = await milterClient(milter.url, { actions: 0x1fd })
    expect((await asked(poor, [], 'Hi!\r\n')).reply).toBe(
      'y 451 4.3.5 The mail server that asked does not let its filter change headers and bodies.',
    )
  })
})
