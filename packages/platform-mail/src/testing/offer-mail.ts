import { type SmtpDialogue, smtpDialogue } from './smtp-dialogue.ts'

/** A mail to offer over SMTP or LMTP. */
export interface OfferedTestMail {
  readonly from?: string
  readonly to?: readonly string[]
  /** The Message-ID. */
  readonly id?: string
  readonly text?: string
  readonly utf8?: boolean
}

/** Opens a connection to a listener, and sends a mail up to the line before the final dot. */
export async function beginMail(
  url: string,
  {
    from = 'ann@far.example',
    to = ['bob@office.example'],
    id = '<1@far.example>',
    text = 'Hi!',
    utf8 = false,
  }: OfferedTestMail = {},
): Promise<SmtpDialogue> {
  const dialogue = await smtpDialogue(url)
  await dialogue.say(`${url.startsWith('lmtp:') ? 'LHLO' : 'EHLO'} client.example`)
  await dialogue.say(`MAIL FROM:<${from}>${utf8 ? ' SMTPUTF8' : ''}`)
  for (const each of to) await dialogue.say(`RCPT TO:<${each}>`)
  await dialogue.say('DATA')
  dialogue.send(`Message-ID: ${id}\r\nSubject: Hello\r\n\r\n${text}\r\n`)
  return dialogue
}

/** Sends a mail. Returns the replies to it: one over SMTP, and one for each recipient over LMTP. */
export async function offerTestMail(url: string, mail: OfferedTestMail = {}): Promise<readonly string[]> {
  await using dialogue = await beginMail(url, mail)
  dialogue.send('.\r\n')
  const replies: string[] = []
  const count = url.startsWith('lmtp:') ? (mail.to ?? ['bob']).length : 1
  while (replies.length < count) {
    const reply = await dialogue.next()
    if (reply === undefined) break
    replies.push(`${reply.code} ${reply.text}`)
  }
  return replies
}
