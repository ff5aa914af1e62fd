import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { configProblems } from '../testing/mail-program.ts'
import { dkimProblems } from './dkim-key.ts'

const functions = { sort: { handler: () => null } }
const lines = (mail: unknown, more: object = {}) =>
  configProblems({ functions, mail, ...more }).map(
    ({ pointer, expected, actual }) => `${pointer}: ${expected}; ${actual}`,
  )
const pointers = (mail: unknown, more?: object) =>
  lines(mail, more).map(line => line.slice(0, line.indexOf(':')))
const domains = { 'office.example': { to: 'mailboxes' } }

describe('the mail setting', () => {
  it('accepts all of its keys', () => {
    expect(
      lines(
        {
          port: 0,
          host: '0.0.0.0',
          open: true,
          name: 'mail.office.example',
          domains: {
            'Office.example': { to: 'mailboxes', recipients: ['ann', 'gina+news', 'jürgen'] },
            'bücher.example': { to: 'mailboxes' },
            localhost: { to: 'mailboxes', recipients: [] },
            'shop.example': { to: 'relay', recipients: ['ann'], subaddresses: false },
            'store.example': { to: { lmtp: { host: 'store.example', port: 2424 } } },
            'local.example': { to: { lmtp: { socket: '/run/dovecot/lmtp' } } },
            'home.example': { to: 'mailboxes', aliases: { info: 'ann', sales: 'ann@office.example' } },
            'signed.example': { to: 'mailboxes', dkim: { selector: 's1', key: 'dkim.pem' } },
          },
          rules: [
            {
              ...{ direction: 'INBOUND', function: 'sort', mode: 'sync', decide: 'before' },
              ...{ timeout: 240, fallback: 'BOUNCE' },
            },
            { direction: 'OUTBOUND', function: 'sort', mode: 'async', timeout: 0.5, fallback: 'DROP' },
            { direction: 'INBOUND', function: 'sort', senders: ['<>', 'far.example', 'a*@far.example'] },
            {
              direction: 'INBOUND',
              function: 'sort',
              recipients: ['ann@office.example', '*.office.example'],
            },
            {
              direction: 'INBOUND',
              function: 'sort',
              recipients: ['bücher.example'],
              fallback: 'MOVE_TO_JUNK',
            },
            { direction: 'OUTBOUND', function: 'sort', recipients: ['*@far.example', 'ann@*'] },
          ],
          relay: {
            ...{ host: 'relay.example', port: 587, tls: 'verify', ca: 'ca.pem' },
            ...{ user: 'u', password: 'p', giveUp: 1 },
          },
          tls: { cert: 'c.pem', key: 'k.pem' },
          trusted: ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'],
          maxSize: 1,
          maxRecipients: 10,
          maxConnections: 50,
          maxConnectionsPerAddress: 5,
          maxRefusedRecipients: 30,
          maxReports: 0,
          mixed: 'report',
          lmtp: { port: 24, host: '0.0.0.0', open: true },
          checkFrom: false,
          limits: { requests: 100, bytes: 1e9, window: 3600 },
          retention: 0,
        },
        { control: { port: 0, host: '::1' } },
      ),
    ).toEqual([])
    expect(lines({ domains })).toEqual([])
    expect(lines({ relay: 'keep', rules: [{ direction: 'OUTBOUND', function: 'sort' }] })).toEqual([])
  })

  it('cannot decide before the reply with an asynchronous function', () => {
    const rule = { direction: 'INBOUND', function: 'sort', mode: 'async', decide: 'before' }
    expect(lines({ domains, rules: [rule] })).toEqual([
      "/mail/rules/0/decide: mode: 'sync' beside it: an asynchronous function decides nothing; before",
    ])
  })

  it('opens its LMTP listener to other machines only with open: true', () => {
    expect(pointers({ domains, lmtp: { host: '0.0.0.0' } })).toEqual(['/mail/lmtp/host'])
    expect(pointers({ domains, lmtp: { port: 2525 } })).toEqual(['/mail/lmtp/port'])
    expect(pointers({ domains, lmtp: {} })).toEqual([])
  })

  it('signs the mail of a domain with a key that has a selector and a file', () => {
    const signed = (dkim: object) => lines({ domains: { 'a.example': { to: 'mailboxes', dkim } } })
    const at = '/mail/domains/a.example/dkim'
    expect(signed({ selektor: 's1', selector: 'a.b' })).toEqual([
      `${at}/selector: letters, digits and -; string 'a.b'`,
      `${at}/key: a text that is not empty; nothing`,
      `${at}/selektor: the name selector; an unknown name`,
    ])
  })

  it.each([
    '-----BEGIN RSA PRIVATE KEY-----\nMIIEsecret\n',
    'MIIEsecret\nMIIE',
    `MIIEsecret${'x'.repeat(5000)}`,
  ])('never shows a key that stands in the place of its path: %j', key => {
    const problems = dkimProblems(key, '/key', '/')
    const expected = 'the path of a file'
    expect(problems).toEqual([{ pointer: '/key', expected, actual: 'a text that is no path' }])
  })

  it('has a submission listener with implicit TLS only with a certificate', () => {
    const submission = { implicitTlsPort: 465 }
    const access = { identities: {} }
    const tls = { cert: 'c.pem', key: 'k.pem' }
    expect(lines({ domains, submission }, { access })).toEqual([
      '/mail/submission/implicitTlsPort: a certificate in mail.tls; none',
    ])
    expect(lines({ domains, submission, tls }, { access })).toEqual([])
    expect(pointers({ domains, submission: { implicitTlsPort: 2587 }, tls }, { access })).toEqual([
      '/mail/submission/port',
    ])
  })

  it('refers to functions for an alias of several mailboxes', () => {
    const its = { to: 'mailboxes', recipients: ['ann', 'bob'], aliases: { sales: ['ann', 'bob'] } }
    expect(lines({ domains: { 'office.example': its } })).toEqual([
      '/mail/domains/office.example/aliases/sales: one mailbox of this configuration. A function can deliver to several; a list',
    ])
  })

  it('is refused with all of its problems at once', () => {
    expect(
      lines({
        prot: 25,
        domains: {
          'office example': { to: 'mailboxes' },
          'a.example': { to: 'mailboxes', recipients: 'ann' },
          'b.example': { to: 'mailboxes', recipients: ['ann@b.example', 7, {}] },
          'B.example': { to: 'mailboxes', recipients: [] },
          'c.example': '*',
          'd.example': { to: 'relay', alias: {}, subaddresses: 1 },
          'e.example': { to: 'junk' },
        },
        rules: [
          { direction: 'INBOUND', function: 'sotr', timout: 3 },
          { direction: 'INBOUND', function: 'sort', timeout: 241 },
          { direction: 'OUTBOUND', function: 'sort' },
          { direction: 'inbound', fallback: 'BYPASS' },
          7,
        ],
      }),
    ).toEqual([
      '/mail/prot: the name port; an unknown name',
      '/mail/domains/office example: a domain name; "office example"',
      "/mail/domains/a.example/recipients: * or a list of local parts; string 'ann'",
      '/mail/domains/b.example/recipients/0: the part of an address before the @; "ann@b.example"',
      '/mail/domains/b.example/recipients/1: the part of an address before the @; a number',
      '/mail/domains/b.example/recipients/2: the part of an address before the @; an object',
      '/mail/domains/B.example: each domain once; b.example again',
      "/mail/domains/c.example: an object such as { to: 'mailboxes' }; a string",
      '/mail/domains/d.example/subaddresses: boolean; number 1',
      '/mail/domains/d.example/alias: the name aliases; an unknown name',
      '/mail/domains/d.example/to: a relay in the configuration; none',
      "/mail/domains/e.example/to: mailboxes, relay, or an object such as { lmtp: { port: 24 } }; string 'junk'",
      '/mail/rules/0/timout: the name timeout; an unknown name',
      '/mail/rules/0/function: sort; "sotr", which is not a function of this configuration',
      '/mail/rules/1/timeout: minutes from 0 to 240; number 241',
      '/mail/rules/1/direction: senders or recipients that differ from those of rule 0, which always applies before; INBOUND',
      '/mail/rules/2/direction: a relay in the configuration: without one, no mail is outbound; OUTBOUND',
      "/mail/rules/3/direction: one of 'INBOUND', 'OUTBOUND'; string 'inbound'",
      "/mail/rules/3/fallback: one of 'DEFAULT', 'DROP', 'BOUNCE', 'BYPASS_SPAM_CHECK', 'MOVE_TO_JUNK'; string 'BYPASS'",
      '/mail/rules/3/function: string; nothing',
      '/mail/rules/4: an object; a number',
    ])
  })

  it.each<[string, object, readonly string[]]>([
    ['neither domains nor a relay', {}, ['/mail']],
    ['empty domains without a relay', { domains: {} }, ['/mail']],
    [
      'a rule for inbound mail without domains',
      { relay: 'keep', rules: [{ direction: 'INBOUND', function: 'sort' }] },
      ['/mail/rules/0/direction'],
    ],
    ['a rule without a direction', { domains, rules: [{ function: 'sort' }] }, ['/mail/rules/0/direction']],
    ['rules that are not a list', { domains, rules: {} }, ['/mail/rules']],
    ['an unknown word as relay', { domains, relay: 'discard' }, ['/mail/relay']],
    ['a relay without a host', { relay: { port: 25 } }, ['/mail/relay/host']],
    ['an unknown key of the relay', { relay: { host: 'a', passwort: 'x' } }, ['/mail/relay/passwort']],
    [
      'rules that never apply',
      {
        ...{ domains, relay: 'keep' },
        rules: [
          { direction: 'INBOUND', function: 'sort', recipients: ['Office.example', 'ann@office.example'] },
          { direction: 'INBOUND', function: 'sort', recipients: ['ann@office.example', '*@office.example'] },
          { direction: 'INBOUND', function: 'sort', recipients: ['far.example'] },
          { direction: 'OUTBOUND', function: 'sort', recipients: ['ann@office.example'] },
        ],
      },
      ['/mail/rules/1/direction', '/mail/rules/2/recipients/0', '/mail/rules/3/recipients/0'],
    ],
    [
      'malformed patterns',
      {
        domains,
        rules: [
          { direction: 'INBOUND', function: 'sort', senders: ['@a', 'a b', 7, '*a.example', ''] },
          { direction: 'INBOUND', function: 'sort', recipients: ['<>'] },
          { direction: 'INBOUND', function: 'sort', senders: [] },
          { direction: 'INBOUND', function: 'sort', senders: 'far.example' },
        ],
      },
      [
        ...[0, 1, 2, 3, 4].map(at => `/mail/rules/0/senders/${at}`),
        ...['/mail/rules/1/recipients/0', '/mail/rules/2/senders', '/mail/rules/3/senders'],
      ],
    ],
    ...(['MOVE_TO_JUNK', 'BYPASS_SPAM_CHECK'] as const).map(
      fallback =>
        [
          `the fallback ${fallback} for outbound mail`,
          { relay: 'keep', rules: [{ direction: 'OUTBOUND', function: 'sort', fallback }] },
          ['/mail/rules/0/fallback'],
        ] as [string, object, readonly string[]],
    ),
    [
      'aliases without a mailbox',
      {
        domains: {
          'a.example': {
            to: 'mailboxes',
            recipients: ['ann'],
            aliases: { info: 'bob', sales: 'ann@b.example', it: 'info', ann: 'ann', 'a b': 'ann', x: 7 },
          },
          'b.example': { to: 'relay', aliases: { info: 'ann' } },
          'c.example': { to: { lmtp: {} }, aliases: { info: 'ann' } },
        },
        relay: 'keep',
      },
      [
        ...['info', 'sales', 'it', 'ann', 'a b', 'x'].map(
          alias => `/mail/domains/a.example/aliases/${alias}`,
        ),
        '/mail/domains/b.example/aliases',
        '/mail/domains/c.example/aliases',
      ],
    ],
    [
      'servers that file mail in two places, or none',
      {
        domains: {
          'a.example': { to: { lmtp: { socket: '/run/lmtp', port: 24 } } },
          'b.example': { to: { lmtp: { host: 'store', tls: 'never' } } },
          'c.example': { to: {} },
        },
      },
      [
        '/mail/domains/a.example/to/lmtp/port',
        '/mail/domains/b.example/to/lmtp/tls',
        '/mail/domains/c.example/to/lmtp',
      ],
    ],
    ['an unknown TLS mode', { relay: { host: 'a', tls: 'starttls' } }, ['/mail/relay/tls']],
    ['an authority that is not used', { relay: { host: 'a', ca: 'x', tls: 'never' } }, ['/mail/relay/ca']],
    [
      'a password that would cross a network in plain text',
      { relay: { host: 'a', tls: 'never', user: 'u', password: 'p' } },
      ['/mail/relay/tls'],
    ],
    ['a user of the relay without a password', { relay: { host: 'a', user: 'u' } }, ['/mail/relay/password']],
    ['a password of the relay without a user', { relay: { host: 'a', password: 'p' } }, ['/mail/relay/user']],
    ['a certificate without its key', { domains, tls: { cert: 'c.pem' } }, ['/mail/tls/key']],
    ['a server name with a line break', { domains, name: 'a\r\nb' }, ['/mail/name']],
    ['a domain with two dots', { domains: { 'a..b': { to: 'mailboxes' } } }, ['/mail/domains/a..b']],
    ['a domain that is a path', { domains: { '../x': { to: 'mailboxes' } } }, ['/mail/domains/..~1x']],
    [
      'a domain both in Unicode and in ASCII',
      { domains: { 'bücher.example': { to: 'mailboxes' }, 'xn--bcher-kva.example': { to: 'mailboxes' } } },
      ['/mail/domains/xn--bcher-kva.example'],
    ],
    ['checks that are not an object', { domains, authentication: 'spf' }, ['/mail/authentication']],
    [
      'unknown checks, and too little time',
      { domains, authentication: { timeout: 0, spf: true } },
      ['/mail/authentication/timeout', '/mail/authentication/spf'],
    ],
    ['a trusted host name', { domains, trusted: ['relay.example'] }, ['/mail/trusted/0']],
    [
      'malformed trusted networks',
      { domains, trusted: ['10.0.0.0/33', '::/129', '10.0.0.0/8/8'] },
      ['/mail/trusted/0', '/mail/trusted/1', '/mail/trusted/2'],
    ],
    [
      'invalid local parts',
      {
        domains: {
          'a.example': {
            to: 'mailboxes',
            recipients: ['', '.ann', 'ann.', 'a..b', 'a b', 'ü'.repeat(33), 'a'.repeat(64), 'ü'.repeat(32)],
          },
        },
      },
      [0, 1, 2, 3, 4, 5].map(at => `/mail/domains/a.example/recipients/${at}`),
    ],
    ['a maximum size of 0', { domains, maxSize: 0 }, ['/mail/maxSize']],
    ['a maximum size above the memory limit', { domains, maxSize: 513 }, ['/mail/maxSize']],
    ['a maximum of 0 recipients', { domains, maxRecipients: 0 }, ['/mail/maxRecipients']],
    [
      'limits of connections and recipients below 1',
      { domains, maxConnections: 0, maxConnectionsPerAddress: 0.5, maxRefusedRecipients: -1 },
      ['/mail/maxConnections', '/mail/maxConnectionsPerAddress', '/mail/maxRefusedRecipients'],
    ],
    ['an invalid port', { domains, port: 65_536 }, ['/mail/port']],
  ])('is refused with %s', (_, mail, expected) => {
    expect(pointers(mail)).toEqual(expected)
  })

  it('is refused with the old name of an option, and the message names the new one', () => {
    expect(lines({ mailboxes: { 'office.example': '*' }, relay: 'keep' })).toEqual([
      "/mail/mailboxes: domains, such as { 'office.example': { to: 'mailboxes' } }; an unknown name",
    ])
    expect(lines({ relay: { host: 'a', secure: true } })).toEqual([
      "/mail/relay/secure: tls, which is 'implicit' if TLS begins with the first byte; an unknown name",
    ])
  })

  it('must be an object, and so must the control setting', () => {
    expect(pointers('yes', { control: 9330 })).toEqual(['/mail', '/control'])
    expect(pointers({ domains }, { control: { prot: 1 } })).toEqual(['/control/prot'])
  })

  it('appears in error messages without its password', () => {
    expect(lines({ relay: { host: 'a', user: 'u', password: 12_345 } }).join()).not.toContain('12345')
  })

  it('is validated without an exception, even if its value is arbitrary JSON', () => {
    const keys = fc.constantFrom('domains', 'rules', 'relay', 'tls', 'trusted', 'port', 'host')
    fc.assert(
      fc.property(fc.dictionary(keys, fc.anything()), fc.array(fc.anything()), (mail, rules) =>
        [mail, { ...mail, rules }].every(each => Array.isArray(lines(each))),
      ),
      { numRuns: 500 },
    )
  })
})
