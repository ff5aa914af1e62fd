import { resolve } from 'node:path'
import {
  type CommandContext,
  configOption,
  defineCommand,
  type ExitCode,
  refuseOperands,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import { mailPart } from '../config/mail-part.ts'
import type { Mailboxes } from '../mailboxes/mailboxes.ts'
import { mailboxesByRecipient } from '../mailboxes-by-recipient.ts'
import { mailFiles } from './mail-files.ts'
import { refuseNonAddress } from './refuse-non-address.ts'
import { withMail } from './with-mail.ts'

/** The command `mail export`, which writes mailboxes as Maildirs. */
export const mailExport = defineCommand({
  name: 'mail export',
  summary: 'Write mailboxes as Maildirs, which any mail reader opens',
  usage: 'FOLDER [ADDRESS] [--config FILE]',
  details: `Writes all mailboxes, or that of ADDRESS, which may be an alias or a subaddress. FOLDER gets a folder for each domain, and in it a Maildir for each mailbox. A
mail that is there is not written again, so the command can be repeated, and continues after it was stopped.`,
  examples: [
    ['signalbox mail export backup', 'writes all mailboxes below the folder backup'],
    ['signalbox mail export backup ann@office.example', 'writes one mailbox'],
  ],
  options: { config: configOption },
  async run({ config }, operands, terminal) {
    const [folder, address] = operands
    if (folder === undefined) throw new UsageError('mail export needs a folder.')
    refuseOperands('mail export', operands, 2)
    await refuseNonAddress(address)
    const { settings } = await terminal.project(config)
    const { storage } = settings
    const target = resolve(terminal.cwd, folder)
    return storage === undefined
      ? exportMails((await mailFiles(config, terminal)).mailboxes, address, target, terminal)
      : withMail(storage, terminal.printError, ({ mailboxes }) =>
          exportMails(mailboxesByRecipient(mailboxes, settings.of(mailPart)), address, target, terminal),
        )
  },
})

async function exportMails(
  mailboxes: Mailboxes,
  address: string | undefined,
  folder: string,
  { print, progress, stop }: CommandContext,
): Promise<ExitCode> {
  const { maildirs } = await import('../mailboxes/maildirs.ts')
  const target = maildirs(folder)
  const mails = (await mailboxes.list(address)).toReversed()
  for (const [at, mail] of mails.entries()) {
    if (stop.aborted) {
      progress?.('')
      print(`Stopped after ${at} of ${mails.length} mails. The same command continues.`)
      return 130
    }
    progress?.(`${at} of ${mails.length} mails written …`)
    await target.restore(mail, await mailboxes.read(mail))
  }
  progress?.('')
  print(`${mails.length} mails are in ${folder}.`)
  return 0
}
