import type { QueueMessage, QueueState } from '@signalbox/platform-queue/console'
import { useState } from 'preact/hooks'
import { ask } from '../../api/api.ts'
import { useAction } from '../../api/use-answer.ts'
import { TextArea } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { type Pair, Pairs } from '../../parts/pairs.tsx'
import { queueApi } from './queue-api.ts'

/** A form that edits a dead letter and sends the edited message in its place. */
export function Resend({
  message,
  queue,
  onSent,
}: {
  readonly message: QueueMessage
  readonly queue: QueueState
  readonly onSent: () => void
}) {
  const { position, group } = message
  const [isOpen, setOpen] = useState(false)
  const [body, setBody] = useState(message.body)
  const [attributes, setAttributes] = useState<readonly Pair[]>(
    Object.entries(message.attributes).map(([name, { stringValue }]) => [name, stringValue ?? '']),
  )
  const send = useAction(async () => {
    const filled = attributes.filter(([name]) => name !== '')
    await ask(
      queueApi.post('/queues/{name}/messages/{position}/resend', {
        params: { name: queue.name, position },
        body: { body, attributes: Object.fromEntries(filled), ...(group !== undefined && { group }) },
      }),
    )
    onSent()
  })
  if (!isOpen)
    return (
      <div class="actions">
        <button type="button" onClick={() => setOpen(true)}>
          Edit and send again
        </button>
      </div>
    )
  return (
    <Form
      action={send}
      button="Send again"
      busy="Sending"
      tools={
        <button type="button" onClick={() => setOpen(false)}>
          Cancel
        </button>
      }
    >
      <TextArea label="New body" rows={8} required spellcheck={false} value={body} onText={setBody} />
      <Pairs legend="New attributes" pairs={attributes} onChange={setAttributes} />
      <p class="faint">Goes to the queue that the dead letter came from. The dead letter is then deleted.</p>
    </Form>
  )
}
