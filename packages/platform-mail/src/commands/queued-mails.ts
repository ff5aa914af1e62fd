import { systemClock } from '@signalbox/core/base'
import {
  type Command,
  configOption,
  defineCommand,
  printable,
  printableJson,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import type { queuedMail } from '../store/queued-mail.ts'
import { mailFiles } from './mail-files.ts'

/** A change of queued mails, as a command. */
interface Change extends Pick<Command, 'summary' | 'usage' | 'details' | 'examples'> {
  readonly verb: string
  /** What was done to a mail, in one word. */
  readonly done: string
  /** Whether no id means all mails. */
  readonly all?: boolean
  readonly change: (queue: ReturnType<typeof queuedMail>, ids: readonly string[]) => readonly string[]
}

const inTheFiles =
  'Works on the files of the box: one that is running notices within a second. ID may be the beginning of one.'

function changing({ verb, done, all = false, change, details, ...about }: Change): Command {
  const name = `mail ${verb}`
  return defineCommand({
    ...about,
    name,
    details: `${details}\n\n${inTheFiles}`,
    options: { config: configOption, json: { type: 'boolean', help: 'print one JSON object for each' } },
    async run({ config, json = false }, ids, terminal) {
      if (ids.length === 0 && !all) throw new UsageError(`${name} needs the id of a mail.`)
      const { openToChange } = await mailFiles(config, terminal)
      const database = openToChange()
      if (database === undefined) throw new Error('There are no mails.')
      try {
        const { queuedMail } = await import('../store/queued-mail.ts')
        const changed = change(queuedMail(database), ids)
        for (const id of changed)
          terminal.print(json ? printableJson({ id, done }) : printable(`${id} ${done}`))
        if (changed.length === 0 && !json) terminal.print('No mail waits for a delivery.')
        return 0
      } finally {
        database.close()
      }
    },
  })
}

/** Tries to deliver now. */
export const mailFlush = changing({
  verb: 'flush',
  done: 'flushed',
  all: true,
  summary: 'Try to deliver queued mails now, all of them or some',
  usage: '[ID…] [--config FILE] [--json]',
  details:
    'For when a relay or a disk is back. Mail that is held, or that a function has yet to decide on, goes on waiting.',
  examples: [['signalbox mail flush', 'tries all deliveries that wait']],
  change: (queue, ids) => queue.flush(ids, systemClock.now()),
})

/** Lets mails wait. */
export const mailHold = changing({
  verb: 'hold',
  done: 'held',
  summary: 'Let queued mails wait until they are released',
  usage: 'ID… [--config FILE] [--json]',
  details:
    'No function is called and no delivery is attempted for a mail that is held. What is under way is finished.',
  examples: [['signalbox mail hold 0d8f1f6e', 'lets one mail wait']],
  change: (queue, ids) => queue.hold(ids),
})

/** Lets held mails go on. */
export const mailRelease = changing({
  verb: 'release',
  done: 'released',
  summary: 'Let mails go on that were held',
  usage: 'ID… [--config FILE] [--json]',
  details: 'What became due while a mail was held is done at once.',
  examples: [['signalbox mail release 0d8f1f6e', 'lets one mail go on']],
  change: (queue, ids) => queue.release(ids),
})

/** Deletes mails. */
export const mailDelete = changing({
  verb: 'delete',
  done: 'deleted',
  summary: 'Delete queued mails, without a report to their senders',
  usage: 'ID… [--config FILE] [--json]',
  details: 'What is in mailboxes stays there. A delivery that is under way may still reach its recipient.',
  examples: [['signalbox mail delete 0d8f1f6e', 'deletes one mail']],
  change: (queue, ids) => queue.remove(ids),
})
