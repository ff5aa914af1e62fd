import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import type { MailEvent } from '@signalbox/mail-flow/contract'
import { systemRandom } from '@signalbox/platform-runtime'
import { dispatcher, inProcessInvoker } from '@signalbox/platform-runtime/platform/testing/parts'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { createTransport } from 'nodemailer'
import { localMailStorage } from './mail-storage.ts'
import { openMail } from './open-mail.ts'
import { anyMail, officeSettings } from './testing/mail-listener.ts'
import { until } from './testing/mail-setup.ts'

/**
 * Starts a platform whose mail database has a limited number of pages, so that writes fail as on a full disk.
 */
async function smallMail(answer: (event: MailEvent) => unknown) {
  const folder = temporaryFolder()
  const clock = manualClock(1_700_000_000_000)
  const database = new DatabaseSync(join(folder.path, 'mail.sqlite'))
  const notices: string[] = []
  const invoker = inProcessInvoker({ name: 'sort', handler: answer, timeout: 20_000, clock })
  const dispatch = dispatcher(
    new Map([['sort', { invoker, dialect: undefined }]]),
    () => {},
    clock,
    systemRandom,
  )
  const mail = await openMail(
    {
      ...officeSettings,
      rules: [
        anyMail({
          direction: 'INBOUND',
          functionName: 'sort',
          mode: 'sync',
          timeout: 0,
          fallback: 'DEFAULT',
        }),
      ],
      functions: new Map([['sort', 8]]),
    },
    await localMailStorage({ open: () => database, folder: name => join(folder.path, name) })(),
    { dispatch, clock, machineClock: clock, random: systemRandom, notice: text => notices.push(text) },
  )
  const smtp = createTransport({ host: '127.0.0.1', port: Number(new URL(mail.url).port), ignoreTLS: true })
  const pages = () => Number(database.prepare('pragma page_count').get()!.page_count)
  return {
    clock,
    database,
    mail,
    notices,
    /** Lets the database grow by a number of pages. */
    limit: (more: number) => database.exec(`pragma max_page_count = ${pages() + more}`),
    rows: () =>
      ['mails', 'recipients', 'work'].map(
        table => database.prepare(`select count(*) as rows from ${table}`).get()!.rows,
      ),
    states: async () =>
      (await mail.states()).map(({ recipients }) => recipients.map(({ state }) => state).join()),
    send: (raw: string | Buffer, from = 'ann@office.example') =>
      smtp.sendMail({ envelope: { from, to: ['bob@office.example'] }, raw }),
    async [Symbol.asyncDispose]() {
      smtp.close()
      const stopped = mail.stop(1000)
      await clock.advance(1000)
      await stopped
      await invoker.stop()
      folder[Symbol.dispose]()
    },
  }
}

const toAll = (type: string) => ({ actions: [{ action: { type }, allRecipients: true }] })
const small = 'Subject: small\r\n\r\nHi!\r\n'
const large = Buffer.concat([Buffer.from('Subject: large\r\n\r\n'), Buffer.alloc(400_000, 'x\r\n')])

it('a mail is refused with a temporary error when the disk is full, and no part of it is stored', async () => {
  await using setup = await smallMail(() => toAll('DROP'))
  await setup.send(small)
  await until(async () => (await setup.states())[0] === 'dropped')
  const before = setup.rows()
  setup.limit(20)
  await expect(setup.send(large)).rejects.toMatchObject({
    responseCode: 452,
    response: '452 4.3.1 No space for the mail, try again later',
  })
  expect(setup.rows()).toEqual(before)
  expect(setup.database.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
  expect(setup.notices).toEqual(['A mail could not be stored: There is no space for mail: the disk is full.'])
  await setup.send(small)
  await until(async () => (await setup.states()).join() === 'dropped,dropped')
  setup.limit(1000)
  await setup.send(large)
  await until(async () => (await setup.states()).join() === 'dropped,dropped,dropped')
})

it('a function is invoked again after a minute if its decision cannot be stored', async () => {
  const ids: string[] = []
  await using setup = await smallMail(({ invocationId }) => {
    ids.push(invocationId)
    setup.limit(ids.length === 1 ? 0 : 1000)
    return toAll('BOUNCE')
  })
  // The report contains the head of the mail.
  await setup.send(`Subject: long\r\n${'X-Filler: '.padEnd(900, 'x').concat('\r\n').repeat(100)}\r\nHi!\r\n`)
  await until(() => setup.notices.length > 0)
  expect(setup.notices).toEqual(['mail: There is no space for mail: the disk is full.'])
  expect(await setup.states()).toEqual(['undecided'])
  await setup.clock.advance(59_999)
  expect(ids).toHaveLength(1)
  await setup.clock.advance(1)
  await until(async () => (await setup.states()).join() === 'delivered,bounced')
  expect(ids).toEqual([ids[0], ids[0]])
})
