import { addressOf, segment } from '../../address/address.ts'
import { ask } from '../../api/api.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { PageHead } from '../../parts/section.tsx'
import { Text } from '../../text/text.tsx'
import { mailApi } from './mail-api.ts'
import { MailContents } from './mail-contents.tsx'

/** The page of a mail as its recipient received it. */
export function MailboxMailPage({ address, id }: { readonly address: string; readonly id: string }) {
  const { value, error, reload } = useAnswer(
    signal => ask(mailApi.get('/mailboxes/{address}/{id}', { params: { address, id }, signal })),
    `${address} ${id}`,
  )
  return (
    <>
      <PageHead
        title={
          value === undefined ? 'Mail' : value.subject === '' ? 'No subject' : <Text of={value.subject} />
        }
      >
        <a href={addressOf('/mail/mailboxes')}>Mailboxes</a> ›{' '}
        <a href={addressOf(`/mail/mailboxes/${segment(address)}`)}>
          <Text of={address} />
        </a>
      </PageHead>
      {error && <ProblemNote text={error} retry={reload} />}
      {value && (
        <MailContents content={value} files={`/console/api/mailboxes/${segment(address)}/${segment(id)}`} />
      )}
    </>
  )
}
