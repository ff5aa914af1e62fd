import {
  type Command,
  configOption,
  defineCommand,
  printable,
  printableJson,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import type { QueuedMails } from '../store/mail-store.ts'
import { mailFiles } from './mail-files.ts'

/** A command that changes queued mails. */
interface Change extends Pick<Command, 'summary' | 'usage' | 'details' | 'examples'> {
  readonly verb: string
  /** The word that is printed after each id, such as `held`. */
  readonly done: string
  /** Whether the command changes all mails when no id is given. */
  readonly all?: boolean
  readonly change: (queued: QueuedMails, ids: readonly string[]) => Promise<readonly string[]>
}

const inTheFiles =
  'Works on the files of the platform. A running platform notices within a second. ID may be the beginning of an id.'

function changeCommand({ verb, done, all = false, change, details, ...about }: Change): Command {
  const name = `mail ${verb}`
  return defineCommand({
    ...about,
    name,
    details: `${details}\n\n${inTheFiles}`,
    options: {
      config: configOption,
      json: { type: 'boolean', help: 'print one JSON object for each mail' },
    },
    async run({ config, json = false }, ids, terminal) {
      if (ids.length === 0 && !all) throw new UsageError(`${name} needs the id of a mail.`)
      const files = await mailFiles(config, terminal)
      const changed = await files.change(queued => change(queued, ids))
      for (const id of changed)
        terminal.print(json ? printableJson({ id, done }) : printable(`${id} ${done}`))
      if (changed.length === 0 && !json) terminal.print('No mail waits for a delivery.')
      return 0
    },
  })
}

/** The command `mail flush`, which makes deliveries due now. */
export const mailFlush = changeCommand({
  verb: 'flush',
  done: 'flushed',
  all: true,
  summary: 'Try to deliver queued mails now, all or some',
  usage: '[ID…] [--config FILE] [--json]',
  details:
    'Use it when a relay or a disk works again. Held mails, and mails that wait for a function, are not changed.',
  examples: [['signalbox mail flush', 'tries all pending deliveries']],
  // The clock of the running platform may be behind the clock of this process.
  change: (queued, ids) => queued.flush(ids, 0),
})

/** The command `mail hold`, which suspends the delivery of mails. */
export const mailHold = changeCommand({
  verb: 'hold',
  done: 'held',
  summary: 'Hold queued mails until they are released',
  usage: 'ID… [--config FILE] [--json]',
  details:
    'A held mail invokes no function and is not delivered. Running invocations and deliveries are finished.',
  examples: [['signalbox mail hold 0d8f1f6e', 'holds one mail']],
  change: (queued, ids) => queued.hold(ids),
})

/** Releases held mails. */
export const mailRelease = changeCommand({
  verb: 'release',
  done: 'released',
  summary: 'Release held mails',
  usage: 'ID… [--config FILE] [--json]',
  details: 'Work that became due while a mail was held starts at once.',
  examples: [['signalbox mail release 0d8f1f6e', 'releases one mail']],
  change: (queued, ids) => queued.release(ids),
})

/** Deletes queued mails. */
export const mailDelete = changeCommand({
  verb: 'delete',
  done: 'deleted',
  summary: 'Delete queued mails, without a report to their senders',
  usage: 'ID… [--config FILE] [--json]',
  details: 'Mails that are in mailboxes stay there. A running delivery may still reach its recipient.',
  examples: [['signalbox mail delete 0d8f1f6e', 'deletes one mail']],
  change: (queued, ids) => queued.remove(ids),
})
