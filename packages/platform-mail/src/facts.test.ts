import { expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { type MailAnswer, type MailSetupOptions, mailSetup } from './testing/mail-setup.ts'
import { smtpReplies } from './testing/smtp-dialogue.ts'

const bounce = () => ({ actions: [{ action: { type: 'BOUNCE' }, allRecipients: true }] })
const broken = () => {
  throw new Error('broken')
}

/** Starts a platform behind a server that states results. */
const behind = (answer: MailAnswer, options: MailSetupOptions = {}) =>
  mailSetup(answer, { relay: 'keep', authentication: { check: false, upstream: ['MX.example'] }, ...options })

/** Sends a mail as the server in front does. Returns the reply to it. */
async function handOver({ port }: { readonly port: number }, results: string, id = '<1@far.example>') {
  const replies = await smtpReplies(
    `smtp://127.0.0.1:${port}`,
    ...['EHLO mx.example', 'XFORWARD ADDR=192.0.2.9 HELO=far', 'MAIL FROM:<ann@far.example>'],
    ...['RCPT TO:<bob@office.example>', 'DATA', `Authentication-Results: mx.example; ${results}`],
    ...[`Message-ID: ${id}`, 'From: ann@far.example', '', '.'],
  )
  return replies.at(-1)!
}

const facts = {
  client: { address: '192.0.2.9', helo: 'far' },
  authentication: { spf: { result: 'fail' }, dmarc: { result: 'fail' } },
}

it.each(['before', 'after'] as const)(
  'the event of a rule that decides %s the reply says what is known about client and sender',
  async decide => {
    await using setup = await behind(bounce, { inbound: { decide } })
    await handOver(setup, 'spf=fail; dmarc=fail')
    await setup.calm()
    expect(setup.events).toEqual([expect.objectContaining(facts)])
  },
)

it('a retry after a restart has the same event', async () => {
  using folder = temporaryFolder()
  const options = { dataDir: folder.path, inbound: { timeout: 5 } }
  const first = await behind(broken, options)
  await handOver(first, 'spf=fail; dmarc=fail')
  await first.calm()
  const { clock, events } = first
  await first[Symbol.asyncDispose]()
  await using second = await behind(bounce, { ...options, clock })
  await second.pass(1)
  expect(events).toEqual([expect.objectContaining(facts)])
  expect(second.events).toEqual(events)
})

it('nobody gets a report about a mail for which SPF and DMARC both failed', async () => {
  await using setup = await behind(bounce)
  const cases = [
    ['spf=fail; dmarc=fail', 'failed'],
    ['spf=softfail; dmarc=fail', 'failed'],
    ['spf=fail; dmarc=pass', 'bounced'],
    ['spf=pass; dmarc=fail', 'bounced'],
    ['spf=fail', 'bounced'],
    ['none', 'bounced'],
  ] as const
  for (const [results, state] of cases) {
    const [id] = /[^ ]+$/.exec(await handOver(setup, results))!
    await setup.calm()
    expect([results, (await setup.recipientStates(id))['bob@office.example']]).toEqual([results, state])
  }
  expect(await setup.reports()).toHaveLength(4)
  const silent = (await setup.states()).find(({ recipients }) => recipients[0]!.state === 'failed')
  expect(silent!.recipients[0]!.why).toMatch(
    /; no report, because SPF and DMARC say that the sender is forged$/,
  )
})

it('a platform with authentication: true checks mail of clients that are not trusted', async () => {
  await using setup = await mailSetup(bounce, { authentication: true })
  // A client without an address, and a mail without an author, need no name server.
  await smtpReplies(
    `smtp://127.0.0.1:${setup.port}`,
    ...['EHLO proxy', 'XCLIENT ADDR=[UNAVAILABLE]', 'EHLO proxy', 'MAIL FROM:<ann@far.example>'],
    ...['RCPT TO:<bob@office.example>', 'DATA', 'Subject: Hi', '', '.'],
  )
  await setup.calm()
  expect(setup.events.map(({ authentication }) => authentication)).toEqual([
    {
      spf: { result: 'none', domain: 'far.example' },
      dkim: [{ result: 'none' }],
      dmarc: { result: 'permerror' },
    },
  ])
})
