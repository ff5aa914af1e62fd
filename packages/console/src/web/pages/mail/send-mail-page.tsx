import type { OfferedMail } from '@signalbox/platform-runtime/console'
import { useState } from 'preact/hooks'
import { addressOf, segment } from '../../address/address.ts'
import { api, ask } from '../../api/api.ts'
import { useAction } from '../../api/use-answer.ts'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { PageHead } from '../../parts/section.tsx'
import { Text } from '../../text/text.tsx'
import { MailTabs } from './mail-tabs.tsx'

/** A form that sends a mail to the platform. */
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
      await ask(api.post('/mail', { body: { from, to: recipients, subject, text, ...(html && { html }) } })),
    )
  })
  return (
    <>
      <PageHead title="Send a test mail">The platform takes it as it takes mail of any program.</PageHead>
      <MailTabs current="/mail/send" />
      <form
        class="card stack"
        onSubmit={event => {
          event.preventDefault()
          send.start()
        }}
      >
        <div class="filters">
          <label class="field wide">
            <span>From</span>
            <input
              required
              placeholder="ann@example.com"
              value={from}
              onInput={event => setFrom(event.currentTarget.value)}
            />
          </label>
          <label class="field wide">
            <span>To, separated by commas</span>
            <input
              required
              placeholder="bob@example.com"
              value={to}
              onInput={event => setTo(event.currentTarget.value)}
            />
          </label>
        </div>
        <label class="field">
          <span>Subject</span>
          <input value={subject} onInput={event => setSubject(event.currentTarget.value)} />
        </label>
        <label class="field">
          <span>Text</span>
          <textarea rows={6} value={text} onInput={event => setText(event.currentTarget.value)} />
        </label>
        <label class="field">
          <span>HTML, if it has any</span>
          <textarea
            rows={4}
            spellcheck={false}
            value={html}
            onInput={event => setHtml(event.currentTarget.value)}
          />
        </label>
        <div class="actions">
          <button type="submit" class="main" disabled={send.isBusy}>
            {send.isBusy ? 'Sending' : 'Send'}
          </button>
        </div>
        {send.error && <ProblemNote text={send.error} />}
        {offered && (
          <div class="stack" role="status">
            {offered.id !== undefined && (
              <p class="note good">
                The platform accepted it.{' '}
                <a href={addressOf(`/mail/accepted/${segment(offered.id)}`)}>See what becomes of it</a>
              </p>
            )}
            {offered.refused.map(({ recipient, reply }) => (
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
        )}
      </form>
    </>
  )
}
