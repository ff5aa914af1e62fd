import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { dkimSign } from 'mailauth'
import { type MailListenerOptions, mailListener } from '../../testing/mail-listener.ts'
import { smtpDialogue, smtpReplies } from '../../testing/smtp-dialogue.ts'
import { type Lookup, senderChecks } from './sender-checks.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'der' },
})

const records: { readonly [question: string]: readonly string[] } = {
  'TXT far.example': ['v=spf1 ip4:127.0.0.2 -all'],
  'TXT mx.far.example': ['v=spf1 a:mx.far.example -all'],
  'A mx.far.example': ['127.0.0.2'],
  'TXT s._domainkey.far.example': [`v=DKIM1; p=${publicKey.toString('base64')}`],
  'TXT _dmarc.far.example': ['v=DMARC1; p=reject'],
}

/** Answers questions from `records`, as a name server does. */
const lookup: Lookup = async (domain, type) => {
  const found = records[`${type} ${domain}`]
  if (found === undefined) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
  return type === 'TXT' ? found.map(each => [each]) : [...found]
}

const text = 'From: Ann <ann@far.example>\r\nSubject: Hi\r\nTo: bob@office.example\r\n\r\nHello!\r\n'

/** Returns the header that signs a mail. */
async function signature(of = text, domain = 'far.example'): Promise<string> {
  const signatureData = [{ signingDomain: domain, selector: 's', privateKey }]
  const options = { canonicalization: 'relaxed/relaxed', signatureData } as Parameters<typeof dkimSign>[1]
  const { signatures } = await dkimSign(of, options)
  return `${signatures.trim()}\r\n`
}

/** Returns a listener that checks mail of all clients but one, with the name box.example. */
async function checked(options: MailListenerOptions & { readonly lookup?: Lookup } = {}) {
  const clock = options.clock ?? manualClock(1_700_000_000_000)
  const checkSender = await senderChecks({
    ...{ name: 'box.example', timeout: 5000, clock },
    lookup: options.lookup ?? lookup,
  })
  const authentication = { check: true, timeout: 5000, upstream: ['mx.office.example'] }
  return mailListener({
    ...options,
    clock,
    role: { ...options.role, checkSender },
    settings: { trusted: ['127.0.0.1'], authentication, ...options.settings },
  })
}

/** Sends a mail from an address. Returns the reply to it. */
async function offer(
  url: string,
  mail: string,
  { from = 'ann@far.example', address = '127.0.0.2', helo = 'mx.far.example' } = {},
) {
  await using client = await smtpDialogue(url, true, address)
  for (const line of [`EHLO ${helo}`, `MAIL FROM:<${from}>`, 'RCPT TO:<bob@office.example>', 'DATA'])
    await client.say(line)
  return await client.say(`${mail}.`)
}

const byFar = (result: string) => ({ result, domain: 'far.example' })

describe('mail from clients that are neither trusted nor authenticated', () => {
  it('is checked by SPF, DKIM and DMARC, and a header on top states the results', async () => {
    await using setup = await checked()
    expect(await offer(setup.url, (await signature()) + text)).toBe('250 2.0.0 Stored as mail-1')
    const [{ facts, raw }] = setup.mails as [(typeof setup.mails)[0]]
    expect(facts).toEqual({
      client: { address: '127.0.0.2', helo: 'mx.far.example' },
      authentication: {
        spf: byFar('pass'),
        dkim: [byFar('pass')],
        dmarc: { ...byFar('pass'), policy: 'reject' },
      },
    })
    expect(String(raw)).toMatch(
      /^Authentication-Results: box\.example;\r\n\tspf=pass smtp\.mailfrom=far\.example;\r\n\tdkim=pass header\.d=far\.example;\r\n\tdmarc=pass header\.from=far\.example policy\.dmarc=reject\r\nReceived: /,
    )
  })

  it('fails when it is forged', async () => {
    await using setup = await checked()
    await offer(setup.url, (await signature()) + text.replace('Hello', 'Pay me'), { address: '127.0.0.3' })
    expect(setup.mails[0]!.facts!.authentication).toEqual({
      spf: byFar('fail'),
      dkim: [byFar('fail')],
      dmarc: { ...byFar('fail'), policy: 'reject' },
    })
  })

  it('is checked by the name in EHLO when it has the null sender, and may lack everything', async () => {
    await using setup = await checked()
    await offer(setup.url, text, { from: '' })
    await offer(setup.url, 'Subject: Hi\r\n\r\n', { from: 'ann@else.example' })
    expect(setup.mails.map(({ facts }) => facts!.authentication)).toEqual([
      {
        spf: { result: 'pass', domain: 'mx.far.example' },
        dkim: [{ result: 'none' }],
        // SPF holds for a subdomain of the author's domain.
        dmarc: { ...byFar('pass'), policy: 'reject' },
      },
      {
        spf: { result: 'none', domain: 'else.example' },
        dkim: [{ result: 'none' }],
        dmarc: { result: 'permerror' },
      },
    ])
    expect(String(setup.mails[0]!.raw)).toContain('spf=pass smtp.helo=mx.far.example;')
  })

  it('cannot state results in the name of this server, or of one in front of it', async () => {
    await using setup = await checked()
    const results = ['BOX.example', 'mx.office.example', 'other.example'].map(
      id => `Authentication-Results: (x) ${id} 1;\r\n dmarc=pass\r\n`,
    )
    await offer(setup.url, results.join('') + text)
    const found = String(setup.mails[0]!.raw).match(/^Authentication-Results: .*/gm)
    expect(found).toEqual([
      'Authentication-Results: box.example;',
      'Authentication-Results: (x) other.example 1;',
    ])
  })

  it('is checked for the client that XCLIENT names', async () => {
    await using setup = await checked()
    await smtpReplies(
      setup.url,
      ...['EHLO proxy', 'XCLIENT ADDR=127.0.0.2 HELO=mx.far.example', 'EHLO proxy'],
      ...['MAIL FROM:<ann@far.example>', 'RCPT TO:<bob@office.example>', 'DATA', `${text}.`],
    )
    expect(setup.mails[0]!.facts!.authentication!.spf).toEqual(byFar('pass'))
  })
})

describe('mail from trusted clients', () => {
  const results = (id: string) => `Authentication-Results: ${id}; spf=fail smtp.mailfrom=far.example\r\n`

  it('is not checked again: the results of the servers in front count, and no others', async () => {
    await using setup = await checked()
    const lines = ['box.example', 'evil.example', 'mx.office.example'].map(results)
    await offer(setup.url, lines.join('') + text, { address: '127.0.0.1' })
    await offer(setup.url, lines.slice(0, 2).join('') + text, { address: '127.0.0.1' })
    expect(setup.mails.map(({ facts }) => facts!.authentication)).toEqual([{ spf: byFar('fail') }, undefined])
    expect(String(setup.mails[0]!.raw).match(/^Authentication-Results: [\w.]+/gm)).toEqual([
      'Authentication-Results: evil.example',
      'Authentication-Results: mx.office.example',
    ])
  })
})

describe('hostile mail', () => {
  it('with a thousand signatures has ten of them checked', async () => {
    let lookups = 0
    const counting: Lookup = (...question) => {
      lookups++
      return lookup(...question)
    }
    await using setup = await checked({ lookup: counting })
    const signatures = Array.from(
      { length: 1000 },
      (_, number) =>
        `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=d${number}.example; s=s; h=from; l=${number}; bh=AAAA; b=AAAA\r\n`,
    )
    await offer(setup.url, signatures.join('') + text)
    expect(setup.mails[0]!.facts!.authentication!.dkim).toHaveLength(10)
    expect(lookups).toBeLessThan(40)
  })

  it('with a huge head is not checked for signatures', async () => {
    await using setup = await checked()
    await offer(
      setup.url,
      `X-Filler: ${`${'x'.repeat(70)}\r\n `.repeat(5000)}\r\n${await signature()}${text}`,
    )
    expect(setup.mails[0]!.facts!.authentication).toEqual({
      spf: byFar('pass'),
      dkim: [{ result: 'permerror' }],
      dmarc: { result: 'permerror' },
    })
  })

  it('whose name servers never answer is accepted when the time is over', async () => {
    const clock = manualClock(1_700_000_000_000)
    let asked = () => {}
    const waits = new Promise<void>(resolve => (asked = resolve))
    const hanging: Lookup = (domain, type) => {
      // SPF is known before the time is over, and the key of the signature is not.
      if (!domain.includes('_domainkey')) return lookup(domain, type)
      asked()
      return new Promise(() => {})
    }
    await using setup = await checked({ clock, lookup: hanging })
    const reply = offer(setup.url, (await signature()) + text)
    await waits
    await clock.advance(5000)
    expect(await reply).toMatch(/^250 /)
    expect(setup.mails[0]!.facts!.authentication).toMatchObject({
      dkim: [{ result: 'temperror' }],
      dmarc: { result: 'temperror' },
    })
  })

  it('whose lookups fail in any way has a temporary error', async () => {
    const broken: Lookup = async () => {
      throw new TypeError('broken')
    }
    await using setup = await checked({ lookup: broken })
    await offer(setup.url, (await signature()) + text)
    const { spf, dkim, dmarc } = setup.mails[0]!.facts!.authentication!
    expect([spf!.result, dkim![0]!.result, dmarc!.result]).toEqual(['temperror', 'temperror', 'temperror'])
  })
})

it('checks without the package say how to install it', async () => {
  const load = () => Promise.reject(Object.assign(new Error('x'), { code: 'ERR_MODULE_NOT_FOUND' }))
  await expect(senderChecks({ name: 'x', timeout: 1, clock: manualClock(0), load })).rejects.toThrow(
    /needs the package mailauth, which is not installed\. Run npm install mailauth/,
  )
})

it('results in the name of the server are removed without checks, too', async () => {
  await using setup = await mailListener({ settings: { trusted: [] } })
  await offer(setup.url, `Authentication-Results: box.example; dmarc=pass\r\n${text}`)
  expect(String(setup.mails[0]!.raw)).not.toContain('Authentication-Results')
  expect(setup.mails[0]!.facts).toEqual({ client: { address: '127.0.0.2', helo: 'mx.far.example' } })
})
