import { describe, expect, it } from '@jest/globals'
import { parseCookies } from './cookies.ts'

const parsed = (...headers: string[]) => ({ ...parseCookies(headers) })

describe('parseCookies', () => {
  it('reads pairs from one header or from several headers', () => {
    expect(parsed('a=1; b=2', 'c=3')).toEqual({ a: '1', b: '2', c: '3' })
    expect(parsed()).toEqual({})
  })

  it('keeps the first of several cookies with the same name', () => {
    expect(parsed('a=1; a=2', 'a=3')).toEqual({ a: '1' })
  })

  it('trims spaces and quotes, and drops pairs without a name or an equals sign', () => {
    expect(parsed(' a = 1 ;b="2";c=d=e;;x;=y; f=; g="; h=""')).toEqual({
      a: '1',
      b: '2',
      c: 'd=e',
      f: '',
      g: '"',
      h: '',
    })
  })

  it('decodes percent escapes in values, and keeps values with malformed escapes unchanged', () => {
    expect(parsed('a=%C3%A9; b=100%; c=a+b')).toEqual({ a: 'é', b: '100%', c: 'a+b' })
  })

  it('returns an object without inherited properties, and accepts __proto__ as a cookie name', () => {
    const cookies = parseCookies(['__proto__=x; constructor=y'])
    expect(Object.keys(cookies)).toEqual(['__proto__', 'constructor'])
    expect(parseCookies([]).toString).toBeUndefined()
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })

  it.each(['\u00a0', '\u2000', '\ufeff', '\u0085', '\v'])(
    'does not trim %j before a cookie name, so that the cookie cannot replace another cookie',
    space => {
      const cookies = parseCookies([`${space}__Host-session=theirs; \t__Host-session \t= ours `])
      expect(cookies['__Host-session']).toBe('ours')
      expect(cookies[`${space}__Host-session`]).toBe('theirs')
    },
  )
})
