import { expect, it, jest } from '@jest/globals'
import { converter } from './converter.ts'
import { type TransportForm, transportForm } from './transport-form.ts'

// On a busy machine, a thread takes time to load its modules from source.
jest.setTimeout(60_000)

const nothing = { eightBit: false, utf8: false }
const large = (head: string, unit: string) => Buffer.from(`${head}\r\n\r\n${unit.repeat(50_000)}`)

/** jest takes seconds to compare buffers of this size, so the test compares digests. */
const readable = (form: TransportForm) => ({ ...form, raw: form.raw.toString('latin1') })

it.each([
  ['a small mail', Buffer.from('Subject: Hi\r\n\r\nGrüße')],
  ['a large mail', large('Subject: Hi', 'Grüße\r\n')],
  ['a large mail with bare line feeds', large('Subject: Hi', 'Hi\n')],
  ['a large quoted-printable mail', large('Content-Transfer-Encoding: quoted-printable', 'a=20ü\r\n')],
  ['a large mail with non-ASCII headers', large('Subject: Grüße', 'Grüße\r\n')],
])('the converter returns the same result as transportForm() for %s', async (_what, mail) => {
  const { convert, close } = converter()
  expect(readable(await convert(mail, nothing))).toEqual(readable(transportForm(mail, nothing)))
  close()
})

it('the converter returns a large mail unchanged if it needs no conversion', async () => {
  const mail = large('Subject: Hi', 'Hello\r\n')
  const form = await converter().convert(mail, nothing)
  expect(form.raw).toBe(mail)
})

it('the event loop is not blocked while a large mail is converted', async () => {
  const { convert, close } = converter()
  let turns = 0
  const turn = () => {
    turns++
    next = setImmediate(turn)
  }
  let next = setImmediate(turn)
  await convert(large('Subject: Hi', 'ü'.repeat(40)), nothing)
  clearImmediate(next)
  expect(turns).toBeGreaterThan(10)
  close()
})

it('a closed converter rejects running and waiting conversions', async () => {
  const { convert, close } = converter()
  const mails = [1, 2].map(() => convert(large('Subject: Hi', 'ü'.repeat(40)), nothing))
  const ends = Promise.allSettled(mails)
  await new Promise(setImmediate)
  close()
  expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
