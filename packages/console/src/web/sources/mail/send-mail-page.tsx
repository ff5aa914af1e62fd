import type { OfferedMail } from '@signalbox/platform-mail/console'
import { useState } from 'preact/hooks'
import { addressOf, segment } from '../../address/address.ts'
import { ask } from '../../api/api.ts'
import { useAction } from '../../api/use-answer.ts'
import { TextArea, TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { PageHead } from '../../parts/section.tsx'
import { Text } from '../../text/text.tsx'
import { mailApi } from './mail-api.ts'
import { MailTabs } from './mail-tabs.tsx'

/** The page with a form that sends a mail to the platform. */
export function SendMailPage() {
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [subject, setSubject] = useState('A test mail')
  const [text, setText] = useState('Sent from the console.')
  const [html, setHtml] = useState('')
  const [offered, setOffered] = useState<OfferedMail | undefined>(undefined)
  const send = useAction(async () => {
    setOffered(undefined)
    const recipients = to.split(/[\s,;]+/).filter(each => each !== '')
    setOffered(
      await ask(
        mailApi.post('/mail', { body: { from, to: recipients, subject, text, ...(html && { html }) } }),
      ),
    )
  })
  return (
    <>
      <PageHead title="Send a test mail">The platform takes it as it takes mail of any program.</PageHead>
      <MailTabs current="/mail/send" />
      <Form action={send} button="Send" busy="Sending" isCard result={offered && <Offered mail={offered} />}>
        <div class="filters">
          <TextField
            label="From"
            isWide
            required
            placeholder="ann@example.com"
            value={from}
            onText={setFrom}
          />
          <TextField
            label="To, separated by commas"
            isWide
            required
            placeholder="bob@example.com"
            value={to}
            onText={setTo}
          />
        </div>
        <TextField label="Subject" value={subject} onText={setSubject} />
        <TextArea label="Text" rows={6} value={text} onText={setText} />
        <TextArea label="HTML (optional)" rows={4} spellcheck={false} value={html} onText={setHtml} />
      </Form>
    </>
  )
}

/** Shows the answer of the mail server to the mail that was sent. */
function Offered({ mail: { id, refused } }: { readonly mail: OfferedMail }) {
  return (
    <div class="stack" role="status">
      {id !== undefined && (
        <p class="note good">
          The platform accepted it.{' '}
          <a href={addressOf(`/mail/accepted/${segment(id)}`)}>See what becomes of it</a>
        </p>
      )}
      {refused.map(({ recipient, reply }) => (
        <p class="note bad" key={recipient ?? ''}>
          {recipient !== undefined && (
            <strong>
              <Text of={recipient} />
            </strong>
          )}
          <Text of={reply} most={500} />
        </p>
      ))}
    </div>
  )
}
