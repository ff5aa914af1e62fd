import { describe, expect, it } from '@jest/globals'
import { fingerprint, plain } from './fingerprint.ts'

describe('fingerprint()', () => {
  it('is the same for two formattings of the same function', () => {
    const texts = [
      'function (u) { return u !== undefined && typeof u === "string" && check(u, false); }',
      'function(e){return void 0!==e&&"string"==typeof e&&t(e,!1)}',
      'function(e){return e!==void 0&&typeof e==`string`&&t(e,!1)}',
    ]
    expect(new Set(texts.map(fingerprint)).size).toBe(1)
    expect(plain(texts[0]!)).toBe('function($0){return$0!==void0&&typeof$0=="string"&&$1($0,false)}')
  })

  it('is the same for different formattings of a function that refers to more than ten names', () => {
    const texts = ['typeof k === "string"', 'typeof k == "string"', '"string" == typeof k']
    const prints = texts.map(text =>
      fingerprint(`function (a, b, c, d, e, f, g, h, i, j, k) { return ${text}; }`),
    )
    expect(new Set(prints).size).toBe(1)
  })

  it('treats names that begin with a keyword as ordinary names', () => {
    expect(plain('function (format, trueNorth) { return format(trueNorth); }')).toBe(
      plain('function(a,b){return a(b)}'),
    )
  })

  it('does not depend on the name of the exports object', () => {
    expect(plain('exports.a.is(a)')).toBe('$0.is($0)')
    expect(plain('a.is(a)')).toBe('$0.is($0)')
  })

  it('is the same whether or not a parameter of an inner function shadows an outer name', () => {
    expect(plain('function(t){return n.every(function(n){return n.is(t)})}')).toBe(
      plain('function (u) { return codecs.every(function (type) { return type.is(u); }); }'),
    )
  })

  it.each([
    ['function(u){return u===null}', 'function(u){return u==null}'],
    ['function(u){return u===a}', 'function(u){return u===u}'],
    ['function(u){return a.is(u)&&b(u)}', 'function(u){return a.is(u)||b(u)}'],
    ['function(u){return a.is(u)&&b(u)}', 'function(u){return a.is(u)&&!b(u)}'],
    ['function(u){return typeof u==="string"}', 'function(u){return typeof u==="number"}'],
    ['function(u){return true}', 'u => true'],
    ['function(u,i){return a.is(u)}', 'function(u){return a.is(u)}'],
  ])('distinguishes "%s" from "%s"', (one, other) => {
    expect(fingerprint(one)).not.toBe(fingerprint(other))
  })
})
