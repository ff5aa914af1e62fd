import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { configProblems } from '../testing/mail-program.ts'

const functions = { sort: { handler: () => null } }
const lines = (mail: unknown, more: object = {}) =>
  configProblems({ functions, mail, ...more }).map(
    ({ pointer, expected, actual }) => `${pointer}: ${expected}; ${actual}`,
  )
const pointers = (mail: unknown, more?: object) =>
  lines(mail, more).map(line => line.slice(0, line.indexOf(':')))
const mailboxes = { 'office.example': '*' }

describe('the mail setting', () => {
  it('accepts all of its keys', () => {
    expect(
      lines(
        {
          port: 0,
          host: '0.0.0.0',
          open: true,
          name: 'mail.office.example',
          mailboxes: {
            'Office.example': ['ann', 'gina+news', 'jürgen'],
            'bücher.example': '*',
            localhost: [],
          },
          rules: [
            { direction: 'INBOUND', function: 'sort', mode: 'sync', timeout: 240, fallback: 'BOUNCE' },
            { direction: 'OUTBOUND', function: 'sort', mode: 'async', timeout: 0.5, fallback: 'DROP' },
          ],
          relay: { host: 'relay.example', port: 587, secure: true, user: 'u', password: 'p', giveUp: 1 },
          tls: { cert: 'c.pem', key: 'k.pem' },
          trusted: ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'],
          maxSize: 1,
          maxRecipients: 10,
          maxConnections: 50,
          maxConnectionsPerAddress: 5,
          maxRefusedRecipients: 30,
          checkFrom: false,
          limits: { requests: 100, bytes: 1e9, window: 3600 },
          retention: 0,
        },
        { control: { port: 0, host: '::1' } },
      ),
    ).toEqual([])
    expect(lines({ mailboxes })).toEqual([])
    expect(lines({ relay: 'keep', rules: [{ direction: 'OUTBOUND', function: 'sort' }] })).toEqual([])
  })

  it('is refused with all of its problems at once', () => {
    expect(
      lines({
        prot: 25,
        mailboxes: {
          'office example': '*',
          'a.example': 'ann',
          'b.example': ['ann@b.example', 7, {}],
          'B.example': [],
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
      '/mail/mailboxes/office example: a domain name; "office example"',
      '/mail/mailboxes/a.example: * or a list of local parts; a string',
      '/mail/mailboxes/b.example/0: the part of an address before the @; "ann@b.example"',
      '/mail/mailboxes/b.example/1: the part of an address before the @; a number',
      '/mail/mailboxes/b.example/2: the part of an address before the @; an object',
      '/mail/mailboxes/B.example: each domain once; b.example again',
      '/mail/rules/0/timout: the name timeout; an unknown name',
      '/mail/rules/0/function: sort; "sotr", which is not a function of this configuration',
      '/mail/rules/1/timeout: minutes from 0 to 240; number 241',
      '/mail/rules/1/direction: one rule for each direction; rule 0 has this one; INBOUND',
      '/mail/rules/2/direction: a relay in the configuration: without one, no mail is outbound; OUTBOUND',
      "/mail/rules/3/direction: one of 'INBOUND', 'OUTBOUND'; string 'inbound'",
      "/mail/rules/3/fallback: one of 'DEFAULT', 'DROP', 'BOUNCE'; string 'BYPASS'",
      '/mail/rules/3/function: string; nothing',
      '/mail/rules/4: an object; a number',
    ])
  })

  it.each<[string, object, readonly string[]]>([
    ['neither mailboxes nor a relay', {}, ['/mail']],
    ['empty mailboxes without a relay', { mailboxes: {} }, ['/mail']],
    [
      'a rule for inbound mail without mailboxes',
      { relay: 'keep', rules: [{ direction: 'INBOUND', function: 'sort' }] },
      ['/mail/rules/0/direction'],
    ],
    ['a rule without a direction', { mailboxes, rules: [{ function: 'sort' }] }, ['/mail/rules/0/direction']],
    ['rules that are not a list', { mailboxes, rules: {} }, ['/mail/rules']],
    ['an unknown word as relay', { mailboxes, relay: 'discard' }, ['/mail/relay']],
    ['a relay without a host', { relay: { port: 25 } }, ['/mail/relay/host']],
    ['an unknown key of the relay', { relay: { host: 'a', passwort: 'x' } }, ['/mail/relay/passwort']],
    ['a user of the relay without a password', { relay: { host: 'a', user: 'u' } }, ['/mail/relay/password']],
    ['a password of the relay without a user', { relay: { host: 'a', password: 'p' } }, ['/mail/relay/user']],
    ['a certificate without its key', { mailboxes, tls: { cert: 'c.pem' } }, ['/mail/tls/key']],
    ['a server name with a line break', { mailboxes, name: 'a\r\nb' }, ['/mail/name']],
    ['a domain with two dots', { mailboxes: { 'a..b': '*' } }, ['/mail/mailboxes/a..b']],
    ['a domain that is a path', { mailboxes: { '../x': '*' } }, ['/mail/mailboxes/..~1x']],
    [
      'a domain both in Unicode and in ASCII',
      { mailboxes: { 'bücher.example': '*', 'xn--bcher-kva.example': '*' } },
      ['/mail/mailboxes/xn--bcher-kva.example'],
    ],
    ['a trusted host name', { mailboxes, trusted: ['relay.example'] }, ['/mail/trusted/0']],
    [
      'malformed trusted networks',
      { mailboxes, trusted: ['10.0.0.0/33', '::/129', '10.0.0.0/8/8'] },
      ['/mail/trusted/0', '/mail/trusted/1', '/mail/trusted/2'],
    ],
    [
      'invalid local parts',
      {
        mailboxes: {
          'a.example': ['', '.ann', 'ann.', 'a..b', 'a b', 'ü'.repeat(33), 'a'.repeat(64), 'ü'.repeat(32)],
        },
      },
      [0, 1, 2, 3, 4, 5].map(at => `/mail/mailboxes/a.example/${at}`),
    ],
    ['a maximum size of 0', { mailboxes, maxSize: 0 }, ['/mail/maxSize']],
    ['a maximum size above the memory limit', { mailboxes, maxSize: 513 }, ['/mail/maxSize']],
    ['a maximum of 0 recipients', { mailboxes, maxRecipients: 0 }, ['/mail/maxRecipients']],
    [
      'limits of connections and recipients below 1',
      { mailboxes, maxConnections: 0, maxConnectionsPerAddress: 0.5, maxRefusedRecipients: -1 },
      ['/mail/maxConnections', '/mail/maxConnectionsPerAddress', '/mail/maxRefusedRecipients'],
    ],
    ['an invalid port', { mailboxes, port: 65_536 }, ['/mail/port']],
  ])('is refused with %s', (_, mail, expected) => {
    expect(pointers(mail)).toEqual(expected)
  })

  it('must be an object, and so must the control setting', () => {
    expect(pointers('yes', { control: 9330 })).toEqual(['/mail', '/control'])
    expect(pointers({ mailboxes }, { control: { prot: 1 } })).toEqual(['/control/prot'])
  })

  it('appears in error messages without its password', () => {
    expect(lines({ relay: { host: 'a', user: 'u', password: 12_345 } }).join()).not.toContain('12345')
  })

  it('is validated without an exception, even if its value is arbitrary JSON', () => {
    const keys = fc.constantFrom('mailboxes', 'rules', 'relay', 'tls', 'trusted', 'port', 'host')
    fc.assert(
      fc.property(fc.dictionary(keys, fc.anything()), fc.array(fc.anything()), (mail, rules) =>
        [mail, { ...mail, rules }].every(each => Array.isArray(lines(each))),
      ),
      { numRuns: 500 },
    )
  })
})
