import type { QueueState } from '@signalbox/platform-runtime/console'
import { useEffect, useRef, useState } from 'preact/hooks'
import { query } from '../../address/address.ts'
import { api, ask } from '../../api/api.ts'
import { useAction } from '../../api/use-answer.ts'
import { type Pair, Pairs } from '../../parts/pairs.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { Section } from '../../parts/section.tsx'
import { Text } from '../../text/text.tsx'

/** Sends a message: a new one, or a copy of one that the address names. */
export function SendMessage({ queue, onSent }: { readonly queue: QueueState; readonly onSent: () => void }) {
  const { name, isFifo } = queue
  const [body, setBody] = useState('')
  const [attributes, setAttributes] = useState<readonly Pair[]>([])
  const [delay, setDelay] = useState('')
  const [group, setGroup] = useState('')
  const [deduplicationId, setDeduplicationId] = useState('')
  const [sent, setSent] = useState('')
  const section = useRef<HTMLTextAreaElement>(null)

  const copied = query.value.get('copy') ?? ''
  useEffect(() => {
    const [from, id] = copied.split(' ')
    if (!from || !id) return
    void ask(api.get('/queues/{name}/messages', { params: { name: from }, query: { last: 100 } })).then(
      messages => {
        const message = messages.find(({ messageId }) => messageId === id)
        if (message === undefined) return
        setBody(message.body)
        setGroup(message.group ?? '')
        setAttributes(
          Object.entries(message.attributes).map(([each, value]) => [each, value.stringValue ?? ''] as const),
        )
        section.current?.focus()
      },
      () => {},
    )
  }, [copied])

  const send = useAction(async () => {
    setSent('')
    const { messageId } = await ask(
      api.post('/queues/{name}/messages', {
        params: { name },
        body: {
          body,
          attributes: Object.fromEntries(attributes.filter(([each]) => each !== '')),
          ...(delay === '' ? {} : { delay: Number(delay) }),
          ...(group === '' ? {} : { group }),
          ...(deduplicationId === '' ? {} : { deduplicationId }),
        },
      }),
    )
    setSent(messageId)
    onSent()
  })
  return (
    <Section title="Send a message">
      <form
        class="card stack"
        onSubmit={event => {
          event.preventDefault()
          send.start()
        }}
      >
        <label class="field">
          <span>Body</span>
          <textarea
            ref={section}
            rows={6}
            required
            spellcheck={false}
            placeholder='{"order": 7}'
            value={body}
            onInput={event => setBody(event.currentTarget.value)}
          />
        </label>
        <Pairs legend="Attributes" pairs={attributes} onChange={setAttributes} />
        <div class="filters">
          {isFifo ? (
            <>
              <label class="field">
                <span>Group</span>
                <input required value={group} onInput={event => setGroup(event.currentTarget.value)} />
              </label>
              <label class="field">
                <span>Deduplication id</span>
                <input
                  value={deduplicationId}
                  onInput={event => setDeduplicationId(event.currentTarget.value)}
                />
              </label>
            </>
          ) : (
            <label class="field">
              <span>Delay in seconds</span>
              <input
                type="number"
                min="0"
                max="900"
                value={delay}
                onInput={event => setDelay(event.currentTarget.value)}
              />
            </label>
          )}
          <button type="submit" class="main" disabled={send.isBusy}>
            {send.isBusy ? 'Sending' : 'Send'}
          </button>
        </div>
        {send.error && <ProblemNote text={send.error} />}
        {sent !== '' && (
          <p class="note good" role="status">
            Sent as <Text of={sent} />.
          </p>
        )}
      </form>
    </Section>
  )
}
