import { createPrivateKey, createPublicKey } from 'node:crypto'
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { mailProject } from '../testing/mail-project.ts'

it('mail dkim makes a key that only its owner can read, and prints its record and never the key', async () => {
  using folder = mailProject()
  const { exitCode, printed, printedErrors } = await folder.signalbox('mail', 'dkim', 'Office.example')
  expect({ exitCode, printedErrors }).toEqual({ exitCode: 0, printedErrors: '' })
  const path = join(folder.path, 'dkim/office.example.s1.pem')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder.path, 'dkim')).mode & 0o777).toBe(0o700)
  const pem = readFileSync(path, 'utf8')
  const publicKey = createPublicKey(createPrivateKey(pem)).export({ type: 'spki', format: 'der' })
  const record = `v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`
  expect(printed).toContain(
    `s1._domainkey.office.example. IN TXT ( "${record.slice(0, 255)}" "${record.slice(255)}" )`,
  )
  expect(printed).toContain("dkim: { selector: 's1', key: './dkim/office.example.s1.pem' }")
  for (const line of pem.split('\n').slice(1, -2)) expect(printed).not.toContain(line)
})

it('mail dkim keeps a key that is there, and prints the record of the configured key', async () => {
  using folder = mailProject()
  const first = await folder.signalbox('mail', 'dkim', 'office.example')
  const again = await folder.signalbox('mail', 'dkim', 'office.example')
  const recordOf = (text: string) => text.split('\n').find(line => line.includes('IN TXT'))
  expect(again.printed).toContain('has the private key')
  expect(recordOf(again.printed)).toBe(recordOf(first.printed))
  writeFileSync(
    join(folder.path, 'signed.config.js'),
    `export default { functions: {}, mail: { domains: { 'office.example': {
       to: 'mailboxes', dkim: { selector: 's1', key: './dkim/office.example.s1.pem' } } } } }`,
  )
  const signed = ['office.example', '--config', 'signed.config.js']
  expect((await folder.signalbox('mail', 'dkim', ...signed)).printed).toBe(recordOf(first.printed))
  const next = await folder.signalbox('mail', 'dkim', ...signed, '--selector', 's2')
  expect(next.printed).toContain('s2._domainkey.office.example. IN TXT')
  expect(recordOf(next.printed)).not.toBe(recordOf(first.printed))
})

it.each([
  [['elsewhere.example'], 2, 'elsewhere.example is not in mail.domains of the configuration.'],
  [['office.example', '--selector', 'a.b/c'], 2, 'expected letters, digits and -.'],
  [[], 2, 'mail dkim needs a domain.'],
])('mail dkim refuses %j', async (args, code, why) => {
  using folder = mailProject()
  const { exitCode, printedErrors } = await folder.signalbox('mail', 'dkim', ...args)
  expect({ exitCode, printedErrors }).toEqual({ exitCode: code, printedErrors: expect.stringContaining(why) })
})

it('mail dkim refuses a key that others than its owner can read', async () => {
  using folder = mailProject()
  await folder.signalbox('mail', 'dkim', 'office.example')
  chmodSync(join(folder.path, 'dkim/office.example.s1.pem'), 0o640)
  expect(await folder.signalbox('mail', 'dkim', 'office.example')).toMatchObject({
    exitCode: 2,
    printedErrors: expect.stringContaining(
      'dkim/office.example.s1.pem cannot sign mail: expected a file that only',
    ),
  })
})
