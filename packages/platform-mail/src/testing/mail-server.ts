import { milterClient } from './milter-client.ts'
import type { OfferedTestMail } from './offer-mail.ts'

/** Another mail server, which does what a milter says, and has mailboxes with a subaddress for junk. */
export interface MailServer {
  /** Takes a mail from a client, and returns the reply. Each mail takes the place of the one before. */
  readonly offer: (url: string, mail: OfferedTestMail) => Promise<string>
  /** Returns the folders of a recipient that have the last mail. */
  readonly folders: (address: string) => readonly ('inbox' | 'junk')[]
}

const junk = '+junk@'

/** Returns a mail server that asks a milter. */
export function mailServer(): MailServer {
  const recipients = new Set<string>()
  let isFlagged = false
  return {
    async offer(
      url,
      {
        from = 'ann@far.example',
        to = ['bob@office.example'],
        id = '<1@far.example>',
        text = 'Hi!',
        utf8 = false,
      },
    ) {
      await using client = await milterClient(url)
      const { reply, changes } = await client.ask({
        from: [`<${from}>`, ...(utf8 ? ['SMTPUTF8'] : [])],
        to: to.map(address => `<${address}>`),
        headers: [
          ['Message-ID', ` ${id}`],
          ['Subject', ' Hello'],
        ],
        body: `${text}\r\n`,
      })
      recipients.clear()
      isFlagged = changes.includes('i 0 X-Spam-Flag: YES')
      if (reply === 'd') return '250 2.0.0 OK'
      if (reply !== 'c')
        return reply
          .slice(2)
          .replace(/\r\n\d{3}[- ]/g, '\n')
          .replace(/^(\d{3})-/, '$1 ')
      for (const address of to) recipients.add(address)
      for (const change of changes) {
        const [code, address = ''] = /^([-+]) <(.*)>$/.exec(change)?.slice(1) ?? []
        if (code === '-') recipients.delete(address)
        else if (code === '+') recipients.add(address)
      }
      return '250 2.0.0 OK'
    },
    folders: address => [
      ...(recipients.has(address) ? [isFlagged ? ('junk' as const) : ('inbox' as const)] : []),
      ...(recipients.has(address.replace('@', junk)) ? ['junk' as const] : []),
    ],
  }
}
