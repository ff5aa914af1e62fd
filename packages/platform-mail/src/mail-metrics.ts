import type { Metric } from '@signalbox/platform-runtime'
import type { MailStore, RecipientState } from './store/mail-store.ts'

const states: readonly RecipientState[] = [
  'undecided',
  'delivering',
  'delivered',
  'relayed',
  'dropped',
  'bounced',
  'failed',
]

/** Reads the metrics of stored mails. */
export async function mailMetrics(store: Pick<MailStore, 'counts'>): Promise<readonly Metric[]> {
  const { recipients, held } = await store.counts()
  return [
    {
      ...{ name: 'signalbox_mail_recipients', type: 'gauge' },
      help: 'Recipients of the mails that are stored, by state. A mail is stored until its retention ends.',
      samples: states.map(state => ({ labels: { state }, value: recipients[state] ?? 0 })),
    },
    {
      ...{ name: 'signalbox_mail_held', type: 'gauge' },
      help: 'Mails that an operator holds.',
      samples: [{ value: held }],
    },
  ]
}
