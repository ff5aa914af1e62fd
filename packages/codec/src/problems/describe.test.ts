import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import * as t from 'io-ts'
import { problems } from '../index.ts'
import type { Codec } from '../io-ts/codec-of.ts'
import { lines } from '../testing/problems.fuzz.ts'

describe('the reported problems', () => {
  it.each([
    'password',
    'challengeAnswer',
    'code',
    'answer',
    'privateChallengeParameters',
    'cookie',
    'set-cookie',
    'cookies',
    'authorization',
    'Authorization',
    'PASSWORD',
  ])('show neither the value of the field %s nor the fields inside it', name => {
    const codec = t.type({
      request: t.type({ [name]: t.array(t.type({ a: t.number, b: t.number, c: t.string })) }),
    })
    const text = JSON.stringify(
      problems(codec, {
        request: {
          [name]: [
            { a: 'hunter2', b: [81, 82], c: 4711 },
            { a: true, b: {}, c: null },
          ],
        },
      }),
    )
    expect(text).not.toMatch(/hunter2|8|4711|true/)
    expect(lines(codec, { request: { [name]: [{ a: 'hunter2', b: [81, 82], c: 4711 }] } })).toEqual([
      `/request/${name}/0/a: expected number, was a string`,
      `/request/${name}/0/b: expected number, was an array`,
      `/request/${name}/0/c: expected string, was a number`,
    ])
  })

  it.each([
    '{"password": "hunter2"}',
    '{\\"Password\\":\\"hunter2\\"}',
    'name=ada&password=hunter2',
    'authorization: Basic aHVudGVyMg==',
    'Set-Cookie: session=hunter2',
    '<code>hunter2</code>',
    'PASSWORD%22%3A%22hunter2',
  ])('do not show the string "%s", which seems to contain a secret', text => {
    expect(lines(t.type({ body: t.type({}) }), { body: text })).toEqual([
      '/body: expected object, was a string',
    ])
  })

  it('do not hide a string that merely resembles the name of a secret', () => {
    expect(lines(t.number, 'CustomMessage_ResendCode')).toEqual([
      "the value: expected number, was string 'CustomMessage_ResendCode'",
    ])
    expect(lines(t.number, 'encoded answers')).toEqual([
      "the value: expected number, was string 'encoded answers'",
    ])
  })

  it('show no secret at any depth, with any codec', () => {
    const secret = 'hunter2hunter2'
    const path = fc.array(fc.oneof(fc.string(), fc.constantFrom('0', 'body', 'code')), { maxLength: 4 })
    fc.assert(
      fc.property(
        path,
        fc.constantFrom('password', 'newPassword', 'code', 'x-api-key', 'Set-Cookie', 'otp', 'idToken'),
        path,
        fc.boolean(),
        (before, name, after, array) => {
          const nest = (parts: readonly string[], innermost: unknown) =>
            parts.reduceRight((inner, key) => ({ [key]: inner }), innermost)
          const value = nest([...before, name, ...after], array ? [secret] : secret)
          const leaf: Codec = array ? t.tuple([t.literal('a')]) : t.union([t.literal('a'), t.Int])
          const codec = [...before, name, ...after].reduceRight<Codec>(
            inner => t.record(t.string, inner),
            leaf,
          )
          const found = problems(codec, value)
          expect(found).toHaveLength(1)
          expect(JSON.stringify(found)).not.toContain(secret)
        },
      ),
    )
  })
})

it('the reported problems show a string of 40 characters in full, and truncate a longer one', () => {
  expect(lines(t.number, 'x'.repeat(40))).toEqual([
    `the value: expected number, was string '${'x'.repeat(40)}'`,
  ])
  expect(lines(t.number, 'x'.repeat(41))).toEqual([
    `the value: expected number, was string '${'x'.repeat(40)}…'`,
  ])
})

it('the reported problems say that an inherited value is wrong, not that the field is missing', () => {
  expect(lines(t.type({ a: t.string }), Object.create({ a: 1 }))).toEqual([
    '/a: expected string, was number 1',
  ])
})
