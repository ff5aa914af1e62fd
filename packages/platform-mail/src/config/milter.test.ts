import { describe, expect, it } from '@jest/globals'
import { configProblems, settingsOf } from '../testing/mail-program.ts'
import { mailPart } from './mail-part.ts'

const functions = { sort: { handler: () => null } }
const lines = (mail: object) =>
  configProblems({ functions, mail }).map(
    ({ pointer, expected, actual }) => `${pointer}: ${expected}; ${actual}`,
  )

describe('the setting of the milter', () => {
  it('accepts a port or a socket, without domains and relay', () => {
    for (const milter of [
      { port: 0 },
      { port: 8891, host: '0.0.0.0', open: true },
      { socket: 'milter.sock', junkSubaddress: 'junk' },
    ])
      expect(lines({ milter })).toEqual([])
  })

  it.each<[string, object, readonly string[]]>([
    ['neither a port nor a socket', {}, ['/mail/milter: a port or a socket; neither']],
    ['both', { port: 1, socket: 'a' }, ['/mail/milter/port: a port or a socket, but not both; both']],
    [
      'a host beside a socket',
      { socket: 'a', host: '::1' },
      ['/mail/milter/host: no host beside a socket; ::1'],
    ],
    [
      'a socket whose path is too long',
      { socket: 'a'.repeat(108) },
      ['/mail/milter/socket: a path of at most 107 bytes; 108 bytes'],
    ],
    [
      'TLS, which the protocol lacks',
      { port: 0, tls: {} },
      [
        '/mail/milter/tls: a socket, or a network that only the mail server uses: the milter protocol has no TLS; an unknown name',
      ],
    ],
    [
      'a subaddress with a sign',
      { port: 0, junkSubaddress: '+junk' },
      ["/mail/milter/junkSubaddress: letters, digits, - and _; string '+junk'"],
    ],
  ])('refuses %s', (_, milter, problems) => {
    expect(lines({ milter })).toEqual(problems)
  })

  it('refuses other machines that are not allowed explicitly, and a port that another listener has', () => {
    expect(lines({ milter: { port: 8891, host: '0.0.0.0' } })).toEqual([
      expect.stringMatching(
        /^\/mail\/milter\/host: an address of this machine such as 127\.0\.0\.1; or open: true/,
      ),
    ])
    expect(lines({ milter: { port: 2525 } })).toEqual([
      '/mail/milter/port: a port of its own, since mail has this one; 2525',
    ])
  })

  it('lets rules be for any direction and any recipients, since the mail server says the direction', () => {
    const rules = [
      { direction: 'INBOUND', function: 'sort', recipients: ['far.example'] },
      { direction: 'OUTBOUND', function: 'sort', recipients: ['office.example'] },
    ]
    const domains = { 'office.example': { to: 'mailboxes' } }
    expect(lines({ milter: { port: 0 }, rules })).toEqual([])
    expect(lines({ milter: { port: 0 }, rules, domains })).toEqual([])
    expect(lines({ rules, domains })).toHaveLength(3)
  })

  it('takes the path of a socket relative to the project, and only listed clients for outbound ones', () => {
    const { milter, trusted } = settingsOf(
      { functions, mail: { milter: { socket: 'run/milter.sock' }, trusted: ['10.0.0.0/8'] } },
      '/srv/box',
    ).of(mailPart)!
    expect(milter).toMatchObject({ socket: '/srv/box/run/milter.sock', outboundClients: ['10.0.0.0/8'] })
    expect(trusted).toEqual(['127.0.0.0/8', '::1', '10.0.0.0/8'])
  })
})
