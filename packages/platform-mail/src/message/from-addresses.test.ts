import { describe, expect, it } from '@jest/globals'
import { fromAddresses } from './from-addresses.ts'

const [own, other] = ['shop@office.example', 'ceo@bank.example']
const read = (head: string) => fromAddresses(Buffer.from(`${head}\r\n\r\nFrom: ${other}\r\n`))

describe('fromAddresses', () => {
  it.each([
    ['a head without a From header', 'Subject: hello', []],
    ['an address', `From: ${own}`, [own]],
    ['a header name in upper case with a space', `FROM : ${own}`, [own]],
    ['a display name', `From: The shop <${own}>`, [own]],
    ['a display name with an address in quotes', `From: "${other}" <${own}>`, [own]],
    ['a comment', `From: ${own} (the shop)`, [own]],
    ['an encoded display name', `From: =?utf-8?q?J=C3=BCrgen?= <${own}>`, [own]],
    ['several addresses', `From: ${own}, <${other}>`, [own, other]],
    ['a group', `From: all: ${own}, ${other};`, [own, other]],
    ['a folded line', `From: The shop\r\n\t<${other}>`, [other]],
    ['a head with bare line feeds', `Subject: a\nFrom: ${other}`, [other]],
    ['an address that is not ASCII', 'From: jürgen@bücher.example', ['jürgen@bücher.example']],
  ])('reads %s', (_, head, expected) => {
    expect(read(head)).toEqual(expected)
  })

  it.each([
    ['several From headers', `From: ${own}\r\nFrom: ${other}`],
    ['an address outside of angle brackets', `From: ${other} <${own}>`],
    ['an address after angle brackets', `From: <${own}> ${other}`],
    ['two addresses in angle brackets', `From: <${own}> <${other}>`],
    ['a header without an address', 'From: The shop'],
    ['an empty header', 'From:'],
    ['an empty group', 'From: none:;'],
    ['a head with bare carriage returns', `From: ${own}\rFrom: ${other}`],
    ['a null byte', `From: ${own}\0`],
    ['bytes that are not UTF-8', Buffer.from([0xff]).toString('latin1')],
    ['a nested address', `From: <${own}<${other}>>`],
    ['a route', `From: <@bank.example:${own}>`],
    ['an encoded address', 'From: =?utf-8?q?ceo=40bank.example?='],
    ['a header of 65 KiB', `From: ${' '.repeat(66_000)}${own}`],
  ])('refuses to read %s', (name, head) => {
    const bytes = name.includes('UTF-8') ? Buffer.from(`From: \xff${own}\r\n\r\n`, 'latin1') : undefined
    expect(bytes === undefined ? read(head) : fromAddresses(bytes)).toBeUndefined()
  })

  it('refuses to read a head of more than a megabyte', () => {
    expect(fromAddresses(Buffer.from('X: a\r\n'.repeat(300_000)))).toBeUndefined()
  })
})
