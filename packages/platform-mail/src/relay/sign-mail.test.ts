import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { dkimVerify } from 'mailauth'
import { mailProject } from '../testing/mail-project.ts'
import { mailSetup, type TestMail } from '../testing/mail-setup.ts'
import { otherServer } from '../testing/other-server.ts'

const deliver = () => ({ actions: [{ action: { type: 'DEFAULT' }, allRecipients: true }] })

/** Returns the TXT records that the command `mail dkim` prints, by their names. */
function recordsIn(...printed: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    printed.map(text => {
      const [, name, strings] = /^(\S+)\. IN TXT \( (.*) \)$/m.exec(text)!
      return [name!, [...strings!.matchAll(/"([^"]{1,255})"/g)].map(([, each]) => each).join('')]
    }),
  )
}

/** Returns the results for the signatures of a mail: `pass office.example s1`. */
async function resultsOf(raw: Buffer, records: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const { results } = await dkimVerify(raw, {
    async resolver(name) {
      const record = records.get(name)
      if (record === undefined) throw Object.assign(new Error('no record'), { code: 'ENOTFOUND' })
      return [[record]]
    },
  })
  return results.map(({ status, signingDomain, selector }) =>
    [status.result, signingDomain, selector].join(' '),
  )
}

/** Starts a platform that signs mail with keys of `mail dkim`, and a relay that keeps what it gets. */
async function signing(selectors: readonly string[] = ['s1'], active = selectors.at(-1)!) {
  const folder = mailProject()
  const printed: string[] = []
  for (const selector of selectors)
    printed.push((await folder.signalbox('mail', 'dkim', 'office.example', '--selector', selector)).printed)
  const office = await otherServer({ size: 50_000_000 })
  const setup = await mailSetup(deliver, {
    domains: {
      'office.example': {
        to: 'mailboxes',
        dkim: { selector: active, key: join(folder.path, `dkim/office.example.${active}.pem`) },
      },
      'shop.example': { to: 'relay' },
    },
    relay: { host: '127.0.0.1', port: office.port, tls: 'never' },
  })
  return {
    records: recordsIn(...printed),
    /** Sends a mail through the platform, and returns what the relay got. */
    async relayed(mail: TestMail): Promise<Buffer> {
      const before = office.taken.length
      await setup.send({ from: 'ann@office.example', to: 'eve@far.example', ...mail })
      await setup.calm()
      expect(office.taken).toHaveLength(before + 1)
      return office.taken.at(-1)!.data
    },
    async [Symbol.asyncDispose]() {
      await setup[Symbol.asyncDispose]()
      await office[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

const mailOf = (from: string, body = 'Hello\r\n', more = '') =>
  `From: ${from}\r\nTo: eve@far.example\r\nSubject: Hi\r\n${more}\r\n${body}`

describe('mail that leaves the platform', () => {
  it('is signed with the key of the domain of its author, and a changed mail has no valid signature', async () => {
    await using platform = await signing()
    const raw = await platform.relayed({ raw: mailOf('Ann <ann@OFFICE.example>') })
    expect(await resultsOf(raw, platform.records)).toEqual(['pass office.example s1'])
    const changed = [
      String(raw).replace('Hello', 'Hallo'),
      String(raw).replace('Subject: Hi', 'Subject: Ha'),
      String(raw).replace('ann@OFFICE', 'bob@OFFICE'),
    ]
    for (const text of changed) {
      expect(text).not.toBe(String(raw))
      const [result] = await resultsOf(Buffer.from(text), platform.records)
      expect(result).not.toMatch(/^pass/)
    }
  })

  it('is signed with the next key after a rotation, while the record of the first key is still there', async () => {
    await using platform = await signing(['s1', 's2'])
    expect([...platform.records.keys()]).toEqual([
      's1._domainkey.office.example',
      's2._domainkey.office.example',
    ])
    const raw = await platform.relayed({ raw: mailOf('ann@office.example') })
    expect(await resultsOf(raw, platform.records)).toEqual(['pass office.example s2'])
    const [first] = [...platform.records.values()]
    const wrong = new Map([['s2._domainkey.office.example', first!]])
    expect((await resultsOf(raw, wrong))[0]).toMatch(/^fail/)
  })

  it.each([
    ['dots, blank lines, and no line end', mailOf('ann@office.example', '.\r\n..a\r\n \r\n\r\n\r\nlast')],
    ['text beyond ASCII, which is encoded for the relay', mailOf('ann@office.example', 'Grüße\r\n')],
    ['long lines, which are folded', mailOf('ann@office.example', `${'x'.repeat(3000)}\r\n`)],
    ['a folded header', mailOf('ann@office.example', 'a', 'References: <a@b>\r\n\t<c@d>  \r\n')],
    ['a subject beyond ASCII', mailOf('ann@office.example', 'a').replace('Hi', 'Größe')],
    ['300 KB', mailOf('ann@office.example', `${'0123456789 \t'.repeat(5)}\r\n`.repeat(5000))],
    ['no body', mailOf('ann@office.example', '')],
  ])('is signed in the form in which the relay gets it, with %s', async (_what, raw) => {
    await using platform = await signing()
    expect(await resultsOf(await platform.relayed({ raw }), platform.records)).toEqual([
      'pass office.example s1',
    ])
  })

  it.each([
    ['an author elsewhere, whose mail is passed on', mailOf('rita@partner.example')],
    ['an author in a subdomain', mailOf('ann@news.office.example')],
    ['authors in several domains', mailOf('ann@office.example, rita@partner.example')],
    ['two headers From', mailOf('ann@office.example', 'a', 'From: rita@partner.example\r\n')],
    ['no author', 'Subject: Hi\r\n\r\nHello\r\n'],
  ])('is not signed with %s', async (_what, raw) => {
    await using platform = await signing()
    expect(await resultsOf(await platform.relayed({ raw }), platform.records)).toEqual(['none  '])
  })

  it('keeps the signature of another domain, and is signed as well if its author is here', async () => {
    await using platform = await signing()
    const raw = await platform.relayed({ raw: mailOf('ann@office.example') })
    const again = await platform.relayed({ raw: Buffer.concat([Buffer.from('X-List: a\r\n'), raw]) })
    expect(await resultsOf(again, platform.records)).toEqual([
      'pass office.example s1',
      'pass office.example s1',
    ])
  })
})

describe('mail to the platform’s own domains', () => {
  it('is not signed, because anybody may send it with a forged author', async () => {
    await using platform = await signing()
    const raw = await platform.relayed({ to: 'kim@shop.example', raw: mailOf('ann@office.example') })
    expect(await resultsOf(raw, platform.records)).toEqual(['none  '])
  })
})

describe('the key of a domain', () => {
  const keyOf = (type: 'rsa', bits: number) =>
    generateKeyPairSync(type, { modulusLength: bits }).privateKey.export({ type: 'pkcs8', format: 'pem' })
  const files: readonly (readonly [string, string, number, string])[] = [
    [
      'which others than its owner can read',
      keyOf('rsa', 1024),
      0o640,
      'a file that only its owner can read (mode 600)',
    ],
    ['which is too short', keyOf('rsa', 512), 0o600, 'an RSA key of at least 1024 bits; one of 512 bits'],
    [
      'of another type',
      String(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })),
      0o600,
      'a key of the type ed25519',
    ],
    ['which is no key', 'secret', 0o600, 'a private key (PEM); key.pem, which cannot be read as one'],
  ].map(([what, text, mode, problem]) => [what, String(text), Number(mode), String(problem)] as never)

  it.each(files)('%s is refused at the start', async (_what, text, mode, problem) => {
    using folder = mailProject({
      mail: { domains: { 'office.example': { to: 'mailboxes', dkim: { selector: 's1', key: 'key.pem' } } } },
    })
    writeFileSync(join(folder.path, 'key.pem'), text, { mode })
    const { exitCode, printedErrors } = await folder.signalbox('mail', 'list')
    expect(exitCode).toBe(2)
    expect(printedErrors).toContain('/mail/domains/office.example/dkim/key')
    expect(printedErrors.replace(/, was /g, '; ')).toContain(problem)
    expect(printedErrors).not.toContain('secret')
  })
})
