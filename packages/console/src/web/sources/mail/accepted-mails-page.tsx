import type { AcceptedMail } from '@signalbox/platform-mail/console'
import { useState } from 'preact/hooks'
import { addressOf, query, segment } from '../../address/address.ts'
import { ask, wordsOf } from '../../api/api.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Badge } from '../../parts/badge.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Filters, TextFilter } from '../../parts/filters.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { PageHead } from '../../parts/section.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Text } from '../../text/text.tsx'
import { Time } from '../../time/time.tsx'
import { bytesInWords } from '../../time/words-of-time.ts'
import { mailApi } from './mail-api.ts'
import { MailTabs } from './mail-tabs.tsx'
import { RecipientBadge } from './recipient-badge.tsx'

const pageSize = 50

/** The page of all accepted mails, with the state of each. */
export function AcceptedMailsPage() {
  const text = query.value.get('text') ?? ''
  const first = useAnswer(
    signal => ask(mailApi.get('/mail', { query: { ...(text && { text }), last: pageSize }, signal })),
    text,
    { every: 3000 },
  )
  const [more, setMore] = useState<{ readonly text: string; readonly mails: readonly AcceptedMail[] }>({
    text: '',
    mails: [],
  })
  const [problem, setProblem] = useState('')
  const known = new Set(first.value?.map(({ id }) => id))
  const mails = [
    ...(first.value ?? []),
    ...(more.text === text ? more.mails.filter(({ id }) => !known.has(id)) : []),
  ]
  const showMore = async () => {
    try {
      const last = mails.at(-1)
      const page = await ask(
        mailApi.get('/mail', {
          query: { ...(text && { text }), ...(last && { after: last.id }), last: pageSize },
        }),
      )
      setMore({ text, mails: [...(more.text === text ? more.mails : []), ...page] })
      setProblem(page.length === 0 ? 'There are no older mails.' : '')
    } catch (error) {
      setProblem(wordsOf(error))
    }
  }
  return (
    <>
      <PageHead title="Mail">What became of each mail, for each of its recipients.</PageHead>
      <MailTabs current="/mail" />
      <Filters names={['text']}>
        <TextFilter name="text" label="Sender, recipient, subject or id" isWide />
      </Filters>
      {first.error && <ProblemNote text={first.error} retry={first.reload} />}
      {first.value !== undefined && mails.length === 0 && (
        <Empty title={text === '' ? 'No mail came yet' : 'No mail matches'}>
          {text === '' && (
            <p>
              Let a program send mail to the SMTP address of the platform, or{' '}
              <a href={addressOf('/mail/send')}>send a test mail</a>.
            </p>
          )}
        </Empty>
      )}
      {mails.length > 0 && (
        <Table label="Accepted mail" columns={columns} rows={mails} keyOf={each => each.id} />
      )}
      {mails.length >= pageSize && (
        <div class="actions">
          <button type="button" onClick={() => void showMore()}>
            Show older ones
          </button>
          <span class="faint">{problem}</span>
        </div>
      )}
    </>
  )
}

const columns: readonly Column<AcceptedMail>[] = [
  {
    name: 'Subject',
    cell: each => (
      <>
        <a href={addressOf(`/mail/accepted/${segment(each.id)}`)}>
          {each.subject === '' ? 'No subject' : <Text of={each.subject} most={120} />}
        </a>{' '}
        {each.report && <Badge tone="plain">report</Badge>} {each.held && <Badge tone="warn">held</Badge>}
        <div class="faint small">
          from {each.from === '' ? 'the mail system' : <Text of={each.from} most={80} />}
        </div>
      </>
    ),
  },
  {
    name: 'Recipients',
    cell: each => (
      <>
        {each.recipients.slice(0, each.recipients.length > 3 ? 2 : 3).map(({ address }) => (
          <div key={address}>
            <Text of={address} most={60} />
          </div>
        ))}
        {each.recipients.length > 3 && <div class="faint">{each.recipients.length - 2} more</div>}
      </>
    ),
    isName: true,
    isExtra: true,
  },
  {
    name: 'State',
    cell: each => {
      const counts = new Map<string, number>()
      for (const { state } of each.recipients) counts.set(state, (counts.get(state) ?? 0) + 1)
      return (
        <span class="actions">
          {[...counts].map(([state, count]) => (
            <RecipientBadge
              key={state}
              state={state}
              count={each.recipients.length > 1 ? count : undefined}
            />
          ))}
        </span>
      )
    },
  },
  { name: 'Size', cell: each => bytesInWords(each.size), isNumber: true, isExtra: true },
  { name: 'When', cell: each => <Time at={each.receivedAt} />, isNumber: true },
]
