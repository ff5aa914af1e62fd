import type { MailboxMail } from '@signalbox/platform-mail/console'
import { addressOf, go, segment } from '../../address/address.ts'
import { ask } from '../../api/api.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Badge } from '../../parts/badge.tsx'
import { Empty } from '../../parts/empty.tsx'
import { SelectField } from '../../parts/field.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { PageHead } from '../../parts/section.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Text } from '../../text/text.tsx'
import { Time } from '../../time/time.tsx'
import { bytesInWords } from '../../time/words-of-time.ts'
import { mailApi } from './mail-api.ts'
import { MailTabs } from './mail-tabs.tsx'

/** The page of all mailboxes, with the mails of the selected mailbox. */
export function MailboxesPage({ address }: { readonly address?: string | undefined }) {
  const boxes = useAnswer(signal => ask(mailApi.get('/mailboxes', { signal })), 'mailboxes', { every: 3000 })
  const chosen = address ?? boxes.value?.[0]?.address
  const error = boxes.error
  return (
    <>
      <PageHead title="Mailboxes">The mails that each address received.</PageHead>
      <MailTabs current="/mail/mailboxes" />
      {error && <ProblemNote text={error} retry={boxes.reload} />}
      {boxes.value?.length === 0 && (
        <Empty title="No mailbox has mail">
          <p>
            <a href={addressOf('/mail/send')}>Send a test mail</a> to an address of a domain of yours.
          </p>
        </Empty>
      )}
      {boxes.value !== undefined && chosen !== undefined && (
        <>
          <SelectField
            label="Mailbox"
            value={chosen}
            onValue={value => go(addressOf(`/mail/mailboxes/${segment(value)}`))}
            options={[
              ...boxes.value.map(
                ({ address: each, inbox, junk }) =>
                  [each, `${each}: ${inbox} in the inbox, ${junk} junk`] as const,
              ),
              ...(boxes.value.some(each => each.address === chosen) ? [] : [chosen]),
            ]}
          />
          <Mailbox address={chosen} />
        </>
      )}
    </>
  )
}

function Mailbox({ address }: { readonly address: string }) {
  const { value, error, reload } = useAnswer(
    signal => ask(mailApi.get('/mailboxes/{address}', { params: { address }, signal })),
    address,
    { every: 3000 },
  )
  return (
    <>
      {error && <ProblemNote text={error} retry={reload} />}
      {value?.length === 0 && <Empty title="This mailbox is empty" />}
      {value !== undefined && value.length > 0 && (
        <Table label="Mailbox" columns={columns} rows={value.slice(0, 500)} keyOf={each => each.id} />
      )}
    </>
  )
}

const columns: readonly Column<MailboxMail>[] = [
  {
    name: 'Subject',
    cell: each => (
      <>
        <a href={addressOf(`/mail/mailboxes/${segment(each.address)}/${segment(each.id)}`)}>
          {each.subject === '' ? 'No subject' : <Text of={each.subject} most={120} />}
        </a>{' '}
        {each.folder === 'junk' && <Badge tone="warn">junk</Badge>}
        <div class="faint small">
          from {each.sender === '' ? 'the mail system' : <Text of={each.sender} most={80} />}
        </div>
      </>
    ),
  },
  { name: 'Size', cell: each => bytesInWords(each.size), isNumber: true, isExtra: true },
  { name: 'Delivered', cell: each => <Time at={each.deliveredAt} />, isNumber: true },
]
