import type { AcceptedMail } from '@signalbox/platform-mail/console'
import { addressOf, go, segment } from '../../address/address.ts'
import { ask } from '../../api/api.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { Badge } from '../../parts/badge.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { PageHead, Section } from '../../parts/section.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { plainText } from '../../text/segments-of.ts'
import { Text } from '../../text/text.tsx'
import { Time } from '../../time/time.tsx'
import { bytesInWords } from '../../time/words-of-time.ts'
import { mailApi } from './mail-api.ts'
import { MailContents } from './mail-contents.tsx'
import { RecipientBadge } from './recipient-badge.tsx'

/** The page of one accepted mail: its state for each recipient, and its content. */
export function AcceptedMailPage({ id }: { readonly id: string }) {
  const { value, error, reload } = useAnswer(
    signal => ask(mailApi.get('/mail/{id}', { params: { id }, signal })),
    id,
    { every: 3000 },
  )
  if (value === undefined)
    return (
      <>
        <PageHead title="Mail">{error === undefined && 'Loading'}</PageHead>
        {error && <ProblemNote text={error} retry={reload} />}
      </>
    )
  const { mail, content } = value
  const files = `/console/api/mail/${segment(id)}`
  return (
    <>
      <PageHead
        title={mail.subject === '' ? 'No subject' : <Text of={mail.subject} />}
        tools={<Actions mail={mail} onChange={reload} />}
      >
        <a href={addressOf('/mail')}>Mail</a> › from{' '}
        {mail.from === '' ? 'the mail system' : <Text of={mail.from} />}, <Time at={mail.receivedAt} />,{' '}
        {bytesInWords(mail.size)}
      </PageHead>
      {error && <ProblemNote text={error} retry={reload} />}
      <div class="actions">
        {mail.report && <Badge tone="plain">a report about mail that was not delivered</Badge>}
        {mail.held && <Badge tone="warn">held until it is released</Badge>}
        <span class="faint">
          Id{' '}
          <span class="mono">
            <Text of={id} most={80} />
          </span>
        </span>
        <a href={addressOf('/invocations', { text: id })}>Invocations with this mail</a>
      </div>
      <Section title="What became of it">
        <Table label="Recipients" columns={columns} rows={mail.recipients} keyOf={each => each.address} />
        <p class="faint">
          Reports about bounces are mails of their own:{' '}
          <a href={addressOf('/mail', { text: mail.from })}>
            mail from or to <Text of={mail.from || 'the mail system'} />
          </a>
        </p>
      </Section>
      {content === undefined ? (
        <p class="note">The text of this mail is not kept any more.</p>
      ) : (
        <MailContents content={content} files={files} />
      )}
    </>
  )
}

const columns: readonly Column<AcceptedMail['recipients'][number]>[] = [
  {
    name: 'Recipient',
    cell: ({ address, direction, state }) => (
      <>
        <Text of={address} />
        <div class="faint small">
          {plainText(direction.slice(0, 60).toLowerCase())}
          {state === 'delivered' && (
            <>
              {', '}
              <a href={addressOf(`/mail/mailboxes/${segment(address)}`)}>mailbox</a>
            </>
          )}
        </div>
      </>
    ),
  },
  { name: 'State', cell: ({ state }) => <RecipientBadge state={state} /> },
  { name: 'Why', cell: ({ why }) => <Text of={why} most={500} /> },
  { name: 'Attempts', cell: ({ attempts }) => attempts, isNumber: true, isExtra: true },
  {
    name: 'Next',
    cell: ({ nextAt }) => (nextAt === undefined ? '–' : <Time at={nextAt} />),
    isNumber: true,
    isExtra: true,
  },
]

function Actions({ mail, onChange }: { readonly mail: AcceptedMail; readonly onChange: () => void }) {
  const isQueued =
    mail.held || mail.recipients.some(({ state }) => state === 'undecided' || state === 'delivering')
  if (!isQueued) return null
  const act = async (action: 'flush' | 'hold' | 'release' | 'delete') => {
    await ask(mailApi.post('/mail/{id}/actions', { params: { id: mail.id }, body: { action } }))
    if (action === 'delete') go(addressOf('/mail'))
    else onChange()
  }
  return (
    <>
      <ActionButton label="Try again now" work={() => act('flush')} />
      {mail.held ? (
        <ActionButton label="Release" work={() => act('release')} />
      ) : (
        <ActionButton label="Hold" work={() => act('hold')} />
      )}
      <ActionButton
        label="Delete"
        isDangerous
        question={{
          title: 'Delete this mail?',
          confirm: 'Delete the mail',
          text: 'Recipients who do not have it yet never get it, and its sender gets no report.',
        }}
        work={() => act('delete')}
      />
    </>
  )
}
