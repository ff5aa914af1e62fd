import { describe, expect, it } from '@jest/globals'
import type { TestDecision } from '../testing/filter-work.ts'
import { type AskedMail, milterClient } from '../testing/milter-client.ts'
import { type TestMilterOptions, testMilter } from '../testing/test-milter.ts'

const bounce = (bounceMessage?: string): TestDecision => ({
  type: 'BOUNCE',
  ...(bounceMessage !== undefined && { parameters: { bounceMessage } }),
})
const [drop, junk, inbox, deliver] = (['DROP', 'MOVE_TO_JUNK', 'BYPASS_SPAM_CHECK', 'DEFAULT'] as const).map(
  (type): TestDecision => ({ type }),
) as [TestDecision, TestDecision, TestDecision, TestDecision]

/** Asks about a mail to the named people of `office.example`, and returns the changes and the reply. */
async function answered(
  decisions: { readonly [name: string]: TestDecision },
  { mail = {}, ...options }: TestMilterOptions & { readonly mail?: AskedMail } = {},
): Promise<readonly string[]> {
  await using milter = await testMilter(address => decisions[address.split('@')[0]!]!, options)
  await using client = await milterClient(milter.url)
  const to = Object.keys(decisions).map(name => `<${name}@office.example>`)
  const { changes, reply } = await client.ask({ to, ...mail })
  return [...changes, reply]
}

const flagged = (...values: readonly string[]): { readonly mail: AskedMail } => ({
  mail: { headers: [...values.map(value => ['X-Spam-Flag', ` ${value}`] as const), ['Subject', ' Hello']] },
})

describe('the answer of the milter', () => {
  it('lets mail pass that functions let pass, or that no function is for', async () => {
    expect(await answered({ ann: deliver, bob: inbox, cyd: 'open' })).toEqual(['c'])
  })

  it('discards a mail that all recipients drop', async () => {
    expect(await answered({ ann: drop, bob: drop })).toEqual(['d'])
  })

  it('removes recipients who drop the mail, with the spelling of the client', async () => {
    const to = [
      '<ANN@office.example>',
      '<bob@office.example>',
      '<"ann"@Office.example>',
      '<ANN@OFFICE.example>',
    ]
    expect(await answered({ ANN: drop, bob: deliver, '"ann"': drop }, { mail: { to } })).toEqual([
      '- <ANN@office.example>',
      '- <ANN@OFFICE.example>',
      '- <"ann"@Office.example>',
      'c',
    ])
  })

  it('refuses a mail that all recipients bounce, with the text of the function', async () => {
    expect(await answered({ ann: bounce('No, never'), bob: bounce('No, never') })).toEqual([
      'y 550 5.7.1 No, never',
    ])
    expect(await answered({ ann: bounce() })).toEqual(['y 550 5.7.1 The mail was refused'])
  })

  it('refuses a mail with the recipients of each text when the texts differ', async () => {
    expect(await answered({ ann: bounce('Left'), bob: bounce('Ill'), cyd: bounce('Left') })).toEqual([
      'y 550-5.7.1 ann@office.example, cyd@office.example: Left\r\n550 5.7.1 bob@office.example: Ill',
    ])
  })

  it('refuses a mail that some recipients bounce and others get, and says who bounced it', async () => {
    expect(await answered({ ann: bounce('Left'), bob: deliver, cyd: drop })).toEqual([
      'y 550-5.7.1 The mail was not delivered to anyone, because it is refused for some recipients:\r\n550 5.7.1 ann@office.example: Left',
    ])
  })

  it('removes the recipients who bounce a mail that others get, if the sender gets a report', async () => {
    const settings = { mixed: 'report' as const }
    expect(await answered({ ann: bounce('Left'), bob: deliver, cyd: drop }, { settings })).toEqual([
      '- <ann@office.example>',
      '- <cyd@office.example>',
      'c',
    ])
    expect(await answered({ ann: bounce('Left'), cyd: drop }, { settings })).toEqual(['d'])
    expect(await answered({ ann: bounce('Left') }, { settings })).toEqual(['y 550 5.7.1 Left'])
  })

  it('refuses a mail for now when a function failed for one of the recipients', async () => {
    expect(
      await answered({ ann: deliver, bob: bounce('No'), cyd: 'later' }, { settings: { mixed: 'report' } }),
    ).toEqual(['y 451 4.3.0 The mail cannot be checked now, try again later'])
  })

  it.each([
    [
      'line ends',
      'One\r\n550 5.7.1 two\rthree\0',
      'y 550-5.7.1 One\r\n550-5.7.1 550 5.7.1 two\r\n550 5.7.1 three',
    ],
    ['percent signs', '100 %s %% sure%', 'y 550 5.7.1 100 %s %% sure%'],
    ['other scripts', 'Größe 東', 'y 550 5.7.1 Gro?e ?'],
  ])('makes a text with %s safe', async (_, text, reply) => {
    expect(await answered({ ann: bounce(text) })).toEqual([reply])
  })

  it('keeps other scripts for a client with SMTPUTF8', async () => {
    const mail = { from: ['<ann@far.example>', 'SMTPUTF8'] }
    expect(await answered({ bö: bounce('Größe 東') }, { mail })).toEqual(['y 550 5.7.1 Größe 東'])
  })

  it('cuts a long text to ten lines that clients can read', async () => {
    const [reply] = await answered({ ann: bounce('%word '.repeat(10_000)) })
    const lines = reply!.slice(2).split('\r\n')
    expect(lines).toHaveLength(10)
    for (const [at, line] of lines.entries()) {
      expect(line).toMatch(at < 9 ? /^550-5\.7\.1 %word/ : /^550 5\.7\.1 %word/)
      expect(line.length).toBeLessThan(450)
    }
  })

  it('names ten of many recipients at most', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`u${at}`, bounce(`${at}`)]))
    const [reply] = await answered(many)
    expect(reply!.split('\r\n')).toHaveLength(10)
  })

  it('adds the recipients that a function adds', async () => {
    const added = ['archive@office.example']
    expect(await answered({ ann: deliver }, { added })).toEqual(['+ <archive@office.example>', 'c'])
    // The mail would be gone if only recipients were removed.
    expect(await answered({ ann: drop }, { added })).toEqual([
      '- <ann@office.example>',
      '+ <archive@office.example>',
      'c',
    ])
  })
})

describe('the spam flag', () => {
  it('is set when the mail belongs into the junk folder of all recipients', async () => {
    expect(await answered({ ann: junk, bob: junk })).toEqual(['i 0 X-Spam-Flag: YES', 'c'])
  })

  it('cannot be hidden or doubled by the sender', async () => {
    expect(await answered({ ann: junk }, flagged('NO', 'no', 'maybe'))).toEqual([
      ...['m 3 X-Spam-Flag:', 'm 2 X-Spam-Flag:', 'm 1 X-Spam-Flag:'],
      ...['i 0 X-Spam-Flag: YES', 'c'],
    ])
    expect(await answered({ ann: junk }, flagged('yes'))).toEqual(['c'])
    expect(await answered({ ann: junk }, flagged('NO', 'YES'))).toEqual([
      ...['m 2 X-Spam-Flag:', 'm 1 X-Spam-Flag:', 'i 0 X-Spam-Flag: YES', 'c'],
    ])
  })

  it('of an earlier filter stays, unless the function bypasses the spam check', async () => {
    expect(await answered({ ann: deliver, bob: 'open' }, flagged('YES'))).toEqual(['c'])
    expect(await answered({ ann: inbox }, flagged('YES', 'YES'))).toEqual([
      ...['m 2 X-Spam-Flag:', 'm 1 X-Spam-Flag:', 'c'],
    ])
    expect(await answered({ ann: inbox }, flagged('NO'))).toEqual(['c'])
  })

  it('stays as it was when it would be wrong for some recipients', async () => {
    expect(await answered({ ann: junk, bob: deliver })).toEqual(['c'])
    expect(await answered({ ann: inbox, bob: deliver }, flagged('YES'))).toEqual(['c'])
  })

  it('is replaced by a subaddress for some recipients, if the configuration names one', async () => {
    const milter = { junkSubaddress: 'junk' }
    expect(await answered({ 'ann+shop': junk, '"a b"': junk, bob: deliver, cyd: drop }, { milter })).toEqual([
      ...['- <cyd@office.example>', '- <ann+shop@office.example>', '- <"a b"@office.example>'],
      ...['+ <ann+junk@office.example>', '+ <"a b+junk"@office.example>', 'c'],
    ])
    expect(await answered({ ann: deliver, bob: inbox }, { milter, ...flagged('YES') })).toEqual([
      ...['- <ann@office.example>', '+ <ann+junk@office.example>', 'm 1 X-Spam-Flag:', 'c'],
    ])
  })
})
