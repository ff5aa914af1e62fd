import { describe, expect, it } from '@jest/globals'
import { isResultsOf, resultsHeader, statedResults } from './authentication-results.ts'
import { headers } from './header-lines.ts'

const stated = (...lines: readonly string[]) =>
  statedResults(Buffer.from([...lines, '', 'Authentication-Results: mx; spf=pass', ''].join('\r\n')), ['mx'])

const spf = (result: string, domain?: string) => ({ spf: { result, ...(domain && { domain }) } })

describe('the results that a server states', () => {
  it.each([
    [['Authentication-Results: mx; spf=pass smtp.mailfrom=ann@far.example'], spf('pass', 'far.example')],
    [
      ['authentication-results : MX 1;\r\n\tSPF=Fail (no; spf=pass) smtp.helo=far.example'],
      spf('fail', 'far.example'),
    ],
    [['Authentication-Results: (a (b) ; c) "mx" ; spf/1 = softfail'], spf('softfail')],
    [['Authentication-Results: mx; spf=fail reason="; spf=pass" smtp.mailfrom=x'], spf('fail', 'x')],
    [['Authentication-Results: mx; spf=fail', 'Authentication-Results: mx; spf=pass'], spf('fail')],
    [['Authentication-Results: mx; spf=wonderful; auth=pass smtp.auth=ann'], {}],
    [['Authentication-Results: mx; none'], {}],
    [
      [
        'Authentication-Results: mx; dkim=pass header.d=a.example header.s=s; dkim=fail header.i=@b.example',
        'Authentication-Results: mx; dmarc=fail header.from=c.example policy.dmarc=reject',
      ],
      {
        dkim: [
          { result: 'pass', domain: 'a.example' },
          { result: 'fail', domain: 'b.example' },
        ],
        dmarc: { result: 'fail', domain: 'c.example', policy: 'reject' },
      },
    ],
  ])('are read from %j', (lines, expected) => {
    expect(stated(...lines)).toEqual(expected)
  })

  it.each([
    'Authentication-Results: evil.example; spf=pass',
    'Authentication-Results: mx.evil.example; spf=pass',
    'Authentication-Results: ; spf=pass',
    'X-Authentication-Results: mx; spf=pass',
    'Authentication-Results: (mx;) evil; spf=pass',
  ])('are not read from "%s"', line => {
    expect(stated(line)).toBeUndefined()
  })

  it('are bounded in number and size, and read in a short time', () => {
    const many = `Authentication-Results: mx${'; dkim=pass header.d=a.example'.repeat(1000)}`
    expect(stated(many)!.dkim).toHaveLength(10)
    const hostile = ['(', '"', '\\', '((a)', ' =', '; '].map(
      part => `Authentication-Results: mx ${part.repeat(200_000)}`,
    )
    expect(stated(...hostile)).toEqual({})
    expect(stated(`Authentication-Results: mx; spf=pass smtp.mailfrom=${'x'.repeat(300)}`)).toEqual(
      spf('pass'),
    )
  })
})

it('a header states results so that they can be read again', () => {
  const results = {
    spf: { result: 'pass', domain: 'far.example' },
    dkim: [{ result: 'pass', domain: 'far.example' }, { result: 'temperror' }],
    dmarc: { result: 'fail', domain: 'far.example', policy: 'quarantine' },
  } as const
  const header = resultsHeader('mx', results, true)
  expect(header).toBe(
    'Authentication-Results: mx;\r\n\tspf=pass smtp.mailfrom=far.example;\r\n\tdkim=pass header.d=far.example;\r\n' +
      '\tdkim=temperror;\r\n\tdmarc=fail header.from=far.example policy.dmarc=quarantine\r\n',
  )
  expect(stated(header.trimEnd())).toEqual(results)
  const [line] = headers(Buffer.from(header))
  expect(isResultsOf('authentication-results', line!, ['mx'])).toBe(true)
  const evil = { spf: { result: 'pass', domain: 'a\r\nX: y' } } as const
  expect(resultsHeader('mx', evil, false)).toBe('Authentication-Results: mx;\r\n\tspf=pass\r\n')
})
