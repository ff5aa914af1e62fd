import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { parseCookies } from './request/cookies.ts'
import { json } from './response/reply.ts'
import { replyHeader } from './response/reply-headers.ts'
import { lastOfEachCookie, withCookie, withoutCookie } from './response/set-cookie.ts'

const cookiesOf = (reply: ReturnType<typeof withCookie>) => replyHeader(reply, 'set-cookie')

describe('withCookie', () => {
  it('sets safe attributes by default', () => {
    expect(cookiesOf(withCookie(json(1), 'a', 'b'))).toEqual(['a=b; Path=/; HttpOnly; Secure; SameSite=Lax'])
  })

  it('adds the cookie to both header maps of a plain response', () => {
    const both = {
      statusCode: 200,
      headers: { 'Set-Cookie': 'b=1' },
      multiValueHeaders: { 'set-cookie': ['c=1', 'd=1'] },
    }
    const { headers, multiValueHeaders } = withCookie(both, 'a', 'b')
    const cookie = 'a=b; Path=/; HttpOnly; Secure; SameSite=Lax'
    expect(headers).toEqual({ 'set-cookie': ['b=1', cookie] })
    expect(multiValueHeaders).toEqual({ 'set-cookie': ['c=1', 'd=1', cookie] })
    const multi = { statusCode: 200, multiValueHeaders: {} }
    expect(withCookie(multi, 'a', 'b')).toEqual({
      statusCode: 200,
      multiValueHeaders: { 'set-cookie': [cookie] },
    })
  })

  it('writes every attribute', () => {
    const reply = withCookie(json(1), 'a', 'b', {
      httpOnly: false,
      secure: true,
      sameSite: 'None',
      path: '/shop',
      domain: 'shop.example',
      maxAge: 60,
      expires: new Date(0),
      partitioned: true,
    })
    expect(cookiesOf(reply)).toEqual([
      'a=b; Path=/shop; Domain=shop.example; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Secure; SameSite=None; Partitioned',
    ])
    expect(cookiesOf(withCookie(json(1), 'a', 'b', { secure: false, sameSite: 'Strict' }))).toEqual([
      'a=b; Path=/; HttpOnly; SameSite=Strict',
    ])
  })

  it('returns a new reply with the earlier cookies, and does not modify the given reply', () => {
    const first = withCookie(json(1), 'a', '1')
    const both = withCookie({ ...first, headers: { 'Set-Cookie': ['c=3'], ...first.headers } }, 'b', '2')
    expect(cookiesOf(first)).toHaveLength(1)
    expect(cookiesOf(both).map(cookie => cookie.split(';', 1)[0])).toEqual(['c=3', 'a=1', 'b=2'])
  })

  it('replaces a cookie of the same name, domain and path', () => {
    const names = (reply: ReturnType<typeof withCookie>) =>
      cookiesOf(reply).map(each => each.split(';', 1)[0])
    expect(names(withCookie(withCookie(json(1), 'a', '1'), 'a', '2'))).toEqual(['a=2'])
    expect(names(withCookie(withCookie(json(1), 'a', '1'), 'a', '2', { path: '/x' }))).toEqual(['a=1', 'a=2'])
    expect(names(withCookie(withCookie(json(1), 'a', '1'), 'A', '2'))).toEqual(['a=1', 'A=2'])
  })

  it.each([
    ['', {}, 'an invalid name'],
    ['a b', {}, 'an invalid name'],
    ['a=', {}, 'an invalid name'],
    ['é', {}, 'an invalid name'],
    ['a', { path: 'shop' }, 'does not start with a slash'],
    ['a', { path: '/;x' }, 'an invalid path'],
    ['a', { path: '/\r\n' }, 'an invalid path'],
    ['a', { domain: 'a b' }, 'an invalid domain'],
    ['a', { domain: 'shop.example; Path=/' }, 'an invalid domain'],
    ['a', { maxAge: 1.5 }, 'maxAge that is not an integer'],
    ['a', { maxAge: Number.NaN }, 'maxAge that is not an integer'],
    ['a', { expires: new Date('x') }, 'an invalid expires date'],
    ['a', { sameSite: 'lax' as never }, 'sameSite that is not'],
    ['a', { sameSite: 'None', secure: false }, 'None, which needs secure'],
    ['a', { partitioned: true, secure: false }, 'partitioned, which needs secure'],
    ['__Secure-a', { secure: false }, '__Secure-, which needs secure'],
    ['__Host-a', { secure: false }, '__Host-, which needs secure'],
    ['__Host-a', { path: '/x' }, 'needs the path / and no domain'],
    ['__host-a', { domain: 'shop.example' }, 'needs the path / and no domain'],
    ['a', { maxage: 1 } as never, 'Did you mean maxAge?'],
  ] as const)(
    'refuses the cookie %p with the options %j, and the error contains "%s"',
    (name, options, why) => {
      expect(() => withCookie(json(1), name, 'secret value', options)).toThrow(why)
      expect(() => withCookie(json(1), name, 'secret value', options)).not.toThrow('secret value')
    },
  )

  it('refuses a cookie whose name and value together exceed 4096 bytes', () => {
    expect(cookiesOf(withCookie(json(1), 'a', 'b'.repeat(4095)))).toHaveLength(1)
    for (const value of ['b'.repeat(4096), 'é'.repeat(683)]) {
      expect(() => withCookie(json(1), 'a', value)).toThrow('The cookie "a" has more than 4096 bytes')
    }
  })

  it('accepts the prefixes __Host- and __Secure- when the options obey their rules', () => {
    expect(cookiesOf(withCookie(json(1), '__Host-a', 'b'))).toHaveLength(1)
    expect(
      cookiesOf(withCookie(json(1), '__Secure-a', 'b', { path: '/x', domain: '.shop.example' })),
    ).toHaveLength(1)
  })

  it('encodes any value so that parseCookies() returns the original value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), value => {
        const [cookie] = cookiesOf(withCookie(json(1), 'a', value))
        expect(cookie).toMatch(/^a=[!#-+\--:<-[\]-~]*; Path/)
        expect(parseCookies([cookie!.split(';', 1)[0]!])).toEqual(
          Object.assign(Object.create(null), { a: value }),
        )
      }),
    )
  })
})

describe('withoutCookie', () => {
  it('expires the cookie', () => {
    expect(cookiesOf(withoutCookie(withCookie(json(1), 'a', 'b'), 'a'))).toEqual([
      'a=; Path=/; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax',
    ])
  })
})

describe('lastOfEachCookie', () => {
  it('identifies cookies by name, domain and path, and ignores the case of attribute names', () => {
    expect(lastOfEachCookie(['a=1; path=/', 'b=2', 'a=3; PATH=/; Domain=x', 'a=4; Path=/', 'b'])).toEqual([
      'a=3; PATH=/; Domain=x',
      'a=4; Path=/',
      'b',
    ])
  })

  it('distinguishes upper and lower case in paths but not in domains', () => {
    const paths = ['a=1; Path=/A', 'a=2; Path=/a']
    expect(lastOfEachCookie(paths)).toEqual(paths)
    expect(lastOfEachCookie(['a=1; Domain=X', 'a=2; Domain=x'])).toEqual(['a=2; Domain=x'])
  })

  it('does not split a cookie at the comma in a date', () => {
    const dated = 'a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT'
    expect(lastOfEachCookie([dated, 'b=2'])).toEqual([dated, 'b=2'])
  })
})
