import { describe, expect, it } from '@jest/globals'
import { parseCookies } from './cookies.ts'

const parsed = (...headers: string[]) => ({ ...parseCookies(headers) })

describe('parseCookies', () => {
  it('reads pairs from one header or several', () => {
    expect(parsed('a=1; b=2', 'c=3')).toEqual({ a: '1', b: '2', c: '3' })
    expect(parsed()).toEqual({})
  })

  it('takes the first of a name', () => {
    expect(parsed('a=1; a=2', 'a=3')).toEqual({ a: '1' })
  })

  it('takes odd pairs as they are', () => {
    expect(parsed(' a = 1 ;b="2";c=d=e;;x;=y; f=; g="; h=""')).toEqual({
      a: '1',
      b: '2',
      c: 'd=e',
      f: '',
      g: '"',
      h: '',
    })
  })

  it('decodes values, and leaves alone what cannot be decoded', () => {
    expect(parsed('a=%C3%A9; b=100%; c=a+b')).toEqual({ a: 'é', b: '100%', c: 'a+b' })
  })

  it('has no cookie that was not sent, and none that changes other objects', () => {
    const cookies = parseCookies(['__proto__=x; constructor=y'])
    expect(Object.keys(cookies)).toEqual(['__proto__', 'constructor'])
    expect(parseCookies([]).toString).toBeUndefined()
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })

  it.each(['\u00a0', '\u2000', '\ufeff', '\u0085', '\v'])('a name behind %j is another name', space => {
    const cookies = parseCookies([`${space}__Host-session=theirs; \t__Host-session \t= ours `])
    expect(cookies['__Host-session']).toBe('ours')
    expect(cookies[`${space}__Host-session`]).toBe('theirs')
  })
})
