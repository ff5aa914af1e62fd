import { describe, expect, it } from '@jest/globals'
import type { MailState } from '@signalbox/platform-mail'
import fc from 'fast-check'
import type { Found } from './mailboxes.ts'
import { type Ending, planOf } from './plan.ts'
import { mailSoak } from './soak.ts'
import { verify } from './verify.ts'

it('each mail is delivered, dropped or bounced exactly once, even if the platform is killed at random moments', async () => {
  const seed = fc.readConfigureGlobal().seed!
  const { violations, acknowledged, reports } = await mailSoak({ mails: 60, kills: 3, seed })
  expect({ seed, violations }).toEqual({ seed, violations: [] })
  expect(acknowledged).toBe(60)
  expect(reports).toBeGreaterThan(0)
})

describe('the check after a mail soak', () => {
  // A mail for three recipients: it is delivered to the first, dropped for the second, and reported to the sender for
  // the third.
  const plan = planOf(5)
  const [got, , bounced] = [...plan.endings.keys()]
  const states = { inbox: 'delivered', junk: 'delivered', nowhere: 'dropped', report: 'bounced' } as const
  const known: MailState = {
    id: 'm-5',
    receivedAt: 0,
    from: plan.from,
    subject: plan.subject,
    size: 1,
    report: false,
    held: false,
    recipients: [...plan.endings].map(([address, ending]: [string, Ending]) => ({
      address,
      direction: 'INBOUND',
      state: states[ending],
      why: '',
      attempts: 1,
      nextAt: undefined,
    })),
  }
  const mail: Found = { address: got!, folder: 'inbox', subject: plan.subject, failed: undefined }
  const report: Found = { address: plan.from, folder: 'inbox', subject: plan.subject, failed: [bounced!] }
  const call = 'm-5 INBOUND i-1\n'

  it.each<[string, readonly Found[], readonly MailState[], string, readonly string[]]>([
    ['no violation if the mail and its report arrived once', [mail, report], [known], call, []],
    ['no violation if one invocation called the function twice', [mail, report], [known], call + call, []],
    ['a lost mail', [report], [known], call, [`mail 5: in inbox of ${got} 0 times, expected 1`]],
    [
      'a mail that arrived twice',
      [mail, mail, report],
      [known],
      call,
      [`mail 5: in inbox of ${got} 2 times, expected 1`],
    ],
    [
      'a mail in the wrong folder',
      [{ ...mail, folder: 'junk' }, report],
      [known],
      call,
      [`mail 5: in inbox of ${got} 0 times, expected 1`, `mail 5: in junk of ${got} 1 times, expected 0`],
    ],
    [
      'a delivered mail that should have bounced',
      [mail, { ...mail, address: bounced! }, report],
      [known],
      call,
      [`mail 5: in inbox of ${bounced} 1 times, expected 0`],
    ],
    ['a missing report', [mail], [known], call, ['mail 5: reports 0 times, expected 1']],
    ['a duplicate report', [mail, report, report], [known], call, ['mail 5: reports 2 times, expected 1']],
    [
      'a report about the wrong recipient',
      [mail, { ...report, failed: [got!] }],
      [known],
      call,
      [`mail 5: its report lists ${got}, expected ${bounced}`],
    ],
    [
      'a report to the wrong sender',
      [mail, { ...report, address: 'x@partner.example' }],
      [known],
      call,
      ['mail 5: x@partner.example has its report'],
    ],
    [
      'a mail in the mailbox of somebody who is not a recipient',
      [mail, report, { ...mail, address: 'x@office.example' }],
      [known],
      call,
      ['mail 5: x@office.example has it, but is not a recipient'],
    ],
    [
      'an acknowledged mail that the platform does not know',
      [],
      [],
      '',
      ['mail 5 was acknowledged as m-5, which is not there', ...missing()],
    ],
    ['a mail that is stored twice', [mail, report], [known, known], call, ['mail 5 is stored 2 times']],
    [
      'a mail without a decision',
      [mail, report],
      [{ ...known, recipients: [{ ...known.recipients[0]!, state: 'undecided' }] }],
      call,
      [`mail 5 is undecided for ${got}`],
    ],
    [
      'two invocations of one mail',
      [mail, report],
      [known],
      `${call}m-5 INBOUND i-2\n`,
      ['m-5 INBOUND had several invocations'],
    ],
    ['a mail without an invocation', [mail, report], [known], '', ['m-5 INBOUND had no invocation']],
    [
      'a mail that was never sent',
      [mail, report, { ...mail, subject: 'spam' }],
      [known],
      call,
      [`${got} has a mail that was not sent: spam`],
    ],
  ])('finds %s', (_, mailboxes, stored, invocations, violations) => {
    const acknowledged = new Map([[5, 'm-5']])
    const found = verify({ mailboxes, states: stored, invocations }, acknowledged, [5])
    expect([...found.violations].sort()).toEqual([...violations].sort())
  })

  it('allows the platform to lose an unacknowledged mail completely, but not partly', () => {
    const remains = { mailboxes: [] as Found[], states: [], invocations: '' }
    expect(verify(remains, new Map(), [5]).violations).toEqual([])
    expect(verify({ ...remains, mailboxes: [mail] }, new Map(), [5]).violations).toEqual([
      'mail 5 is in a mailbox, and the platform does not know it',
    ])
    expect(
      verify({ mailboxes: [mail], states: [known], invocations: call }, new Map(), [5]).violations,
    ).toEqual(['mail 5: reports 0 times, expected 1'])
  })

  function missing(): readonly string[] {
    return [`mail 5: in inbox of ${got} 0 times, expected 1`, 'mail 5: reports 0 times, expected 1']
  }
})
