import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { smtpDialogue } from '@signalbox/platform-mail/testing/smtp-dialogue'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { readMailboxes } from '../mail/mailboxes.ts'
import { startPlatform } from '../platform-process.ts'
import { recipients } from './recipients.ts'

const clients = 8

/**
 * Sends mails to five recipients each over LMTP, and kills the platform at random moments. As another mail server does, a
 * client offers its mail again to the recipients that have no final reply. Checks that each recipient gets the reply and the
 * mail that the function decided, once, and that there are no reports.
 */
export async function lmtpSoak({ mails, kills }: { readonly mails: number; readonly kills: number }) {
  using folder = temporaryFolder()
  const program = new URL('lmtp-platform.ts', import.meta.url)
  let platform = await startPlatform(program, folder.path)
  let next = 0
  let offers = 0
  let broken = 0
  const violations: string[] = []

  const offer = async (number: number, to: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    await using dialogue = await smtpDialogue(platform.url)
    const replies = new Map<string, string>()
    offers++
    await dialogue.say('LHLO other.example')
    await dialogue.say(`MAIL FROM:<s${number}@partner.example>`)
    for (const each of to) await dialogue.say(`RCPT TO:<${each}>`)
    if (!(await dialogue.say('DATA'))?.startsWith('354')) return replies
    dialogue.send(`Message-ID: <${number}@x>\r\nSubject: mail ${number}\r\n\r\nHi!\r\n.\r\n`)
    for (const each of to) {
      const reply = await dialogue.next()
      if (reply === undefined || reply.code === 421) break
      replies.set(each, String(reply.code))
    }
    if (replies.size < to.length) broken++
    return replies
  }

  const client = async () => {
    for (let number = next++; number < mails; number = next++) {
      let to = Object.keys(recipients)
      while (to.length > 0) {
        const replies = await offer(number, to)
        for (const [address, code] of replies)
          if (code !== '451' && code !== recipients[address]!.reply)
            violations.push(`mail ${number} to ${address}: the reply was ${code}`)
        to = to.filter(each => (replies.get(each) ?? '451') === '451')
        if (to.length > 0) await delay(20)
      }
    }
  }

  const killing = (async () => {
    for (let kill = 1; kill <= kills; kill++) {
      while (next < (kill * mails) / (kills + 1)) await delay(5)
      await delay(Math.random() * 30)
      await platform.kill()
      platform = await startPlatform(program, folder.path)
    }
  })()
  await Promise.all([killing, ...Array.from({ length: clients }, client)])

  const mailboxes = join(folder.path, 'mailboxes')
  const expected = mails * Object.values(recipients).filter(each => each.folder !== undefined).length
  for (let waits = 0; waits < 300 && readMailboxes(mailboxes).length < expected; waits++) await delay(100)
  await delay(200)
  const found = new Map<string, number>()
  for (const { address, folder: its, subject } of readMailboxes(mailboxes)) {
    const key = `${subject} in ${its} of ${address}`
    found.set(key, (found.get(key) ?? 0) + 1)
  }
  for (let number = 0; number < mails; number++)
    for (const [address, { folder: its }] of Object.entries(recipients)) {
      if (its === undefined) continue
      const key = `mail ${number} in ${its} of ${address}`
      if (found.get(key) !== 1) violations.push(`${key}: ${found.get(key) ?? 0} times`)
      found.delete(key)
    }
  violations.push(...Array.from(found.keys(), key => `${key}: not expected`))
  await platform.kill()
  return { violations, offers, broken }
}
