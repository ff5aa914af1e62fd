import type { QueueState } from '@signalbox/platform-queue/console'
import { useEffect, useState } from 'preact/hooks'
import { query } from '../../address/address.ts'
import { ask } from '../../api/api.ts'
import { useAction } from '../../api/use-answer.ts'
import { TextArea, TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { type Pair, Pairs } from '../../parts/pairs.tsx'
import { Section } from '../../parts/section.tsx'
import { Text } from '../../text/text.tsx'
import { queueApi } from './queue-api.ts'

const bodyId = 'message-body'

/** A form that sends a new message, or a copy of the message that the URL of the page names. */
export function SendMessage({ queue, onSent }: { readonly queue: QueueState; readonly onSent: () => void }) {
  const { name, isFifo } = queue
  const [body, setBody] = useState('')
  const [attributes, setAttributes] = useState<readonly Pair[]>([])
  const [delay, setDelay] = useState('')
  const [group, setGroup] = useState('')
  const [deduplicationId, setDeduplicationId] = useState('')
  const [sent, setSent] = useState('')

  const copied = query.value.get('copy') ?? ''
  useEffect(() => {
    const [from, id] = copied.split(' ')
    if (!from || !id) return
    void ask(queueApi.get('/queues/{name}/messages', { params: { name: from }, query: { last: 100 } })).then(
      messages => {
        const message = messages.find(({ messageId }) => messageId === id)
        if (message === undefined) return
        setBody(message.body)
        setGroup(message.group ?? '')
        setAttributes(
          Object.entries(message.attributes).map(([each, value]) => [each, value.stringValue ?? ''] as const),
        )
        document.getElementById(bodyId)?.focus()
      },
      () => {},
    )
  }, [copied])

  const send = useAction(async () => {
    setSent('')
    const { messageId } = await ask(
      queueApi.post('/queues/{name}/messages', {
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
      <Form
        action={send}
        button="Send"
        busy="Sending"
        isCard
        result={
          sent !== '' && (
            <p class="note good" role="status">
              Sent as <Text of={sent} />.
            </p>
          )
        }
      >
        <TextArea
          label="Body"
          id={bodyId}
          rows={6}
          required
          spellcheck={false}
          placeholder='{"order": 7}'
          value={body}
          onText={setBody}
        />
        <Pairs legend="Attributes" pairs={attributes} onChange={setAttributes} />
        <div class="filters">
          {isFifo ? (
            <>
              <TextField label="Group" required value={group} onText={setGroup} />
              <TextField label="Deduplication id" value={deduplicationId} onText={setDeduplicationId} />
            </>
          ) : (
            <TextField
              label="Delay in seconds"
              type="number"
              min="0"
              max="900"
              value={delay}
              onText={setDelay}
            />
          )}
        </div>
      </Form>
    </Section>
  )
}
