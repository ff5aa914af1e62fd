import { describe, expect, it } from '@jest/globals'
import { caseCosts } from '@signalbox/platform-runtime/testing/case-costs'
import { originatorAddresses } from './originator-addresses.ts'

const [own, other] = ['shop@office.example', 'ceo@bank.example']
const addresses = (raw: Buffer) => {
  const found = originatorAddresses(raw)
  return 'unclear' in found ? found : found.map(({ address }) => address)
}
const read = (head: string) => addresses(Buffer.from(`${head}\r\n\r\nFrom: ${other}\r\n`))

describe('originatorAddresses()', () => {
  it.each([
    ['a head without a From header', 'Subject: hello', []],
    ['an address', `From: ${own}`, [own]],
    ['a header name in upper case with a space', `FROM : ${own}`, [own]],
    ['a display name', `From: The shop <${own}>`, [own]],
    ['a display name with an address in quotes', `From: "${other}" <${own}>`, [own]],
    ['a display name with an escaped quote', `From: "the \\" <${other}> shop" <${own}>`, [own]],
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
    ['an address after a quote that does not end', `From: "the shop ${other} <${own}>`],
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
    expect(bytes === undefined ? read(head) : addresses(bytes)).toEqual({ unclear: 'From' })
  })

  it.each(['a', 'a.', '[', '\\"', '"\\'])('reads a header that repeats %j many times quickly', async text => {
    const head = `From: <${own}> ${text.repeat(60_000 / text.length)}`
    await caseCosts().hold(
      () => head.slice(0, 60),
      () => void read(head),
    )
  })

  it('refuses to read a head of more than a megabyte', () => {
    expect(addresses(Buffer.from('X: a\r\n'.repeat(300_000)))).toEqual({ unclear: 'From' })
  })

  it('reads the headers From and Sender, and all Resent-From and Resent-Sender headers', () => {
    const names = ['From', 'Sender', 'Resent-From', 'RESENT-SENDER', 'Resent-From', 'Reply-To']
    const head = names.map((name, at) => `${name}: a${at}@office.example`).join('\r\n')
    expect(originatorAddresses(Buffer.from(`${head}\r\n\r\n`))).toEqual([
      { header: 'From', address: 'a0@office.example' },
      { header: 'Sender', address: 'a1@office.example' },
      { header: 'Resent-From', address: 'a2@office.example' },
      { header: 'Resent-Sender', address: 'a3@office.example' },
      { header: 'Resent-From', address: 'a4@office.example' },
    ])
  })

  it.each([
    ['Sender', `Sender: ${own}\r\nSender: ${other}`],
    ['Resent-From', 'Resent-From: all'],
    ['Resent-Sender', `Resent-Sender: <${own}> ${other}`],
  ])('reports the header %s when its addresses are unclear', (unclear, head) => {
    expect(read(`From: ${own}\r\n${head}`)).toEqual({ unclear })
  })
})
