import type { QueueMessage, QueueState } from '@signalbox/platform-queue/console'
import { useEffect, useState } from 'preact/hooks'
import { addressOf, go, query, segment, setQuery } from '../../address/address.ts'
import { ask, wordsOf } from '../../api/api.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { JsonView } from '../../json/json-view.tsx'
import { List } from '../../pages/invocations/invocations-page.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Figure } from '../../parts/figure.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { Section } from '../../parts/section.tsx'
import { Text } from '../../text/text.tsx'
import { Time } from '../../time/time.tsx'
import { queueApi } from './queue-api.ts'
import { Resend } from './resend.tsx'

const pageSize = 20

/** A list that shows the messages of a queue without receiving them. */
export function Messages({
  queue,
  changes,
  onChange,
}: {
  readonly queue: QueueState
  readonly changes: number
  readonly onChange: () => void
}) {
  const { name } = queue
  const first = useAnswer(
    signal =>
      ask(queueApi.get('/queues/{name}/messages', { params: { name }, query: { last: pageSize }, signal })),
    `${name} ${changes} ${queue.visible} ${queue.inFlight} ${queue.delayed}`,
  )
  const [kept, setKept] = useState<readonly QueueMessage[] | undefined>(undefined)
  const [more, setMore] = useState<readonly QueueMessage[]>([])
  const [problem, setProblem] = useState('')
  useEffect(() => {
    if (first.value !== undefined) {
      setKept(first.value)
      setMore([])
    }
  }, [first.value])
  const messages = [...(kept ?? []), ...more]
  const showMore = async () => {
    try {
      const page = await ask(
        queueApi.get('/queues/{name}/messages', {
          params: { name },
          query: { after: messages.at(-1)?.position ?? 0, last: pageSize },
        }),
      )
      setMore([...more, ...page])
      setProblem('')
    } catch (error) {
      setProblem(wordsOf(error))
    }
  }
  const all = queue.visible + queue.inFlight + queue.delayed
  const error = problem || first.error
  return (
    <Section title={queue.sources.length > 0 ? 'Dead letters' : 'Messages'}>
      {error && <ProblemNote text={error} retry={first.reload} />}
      {kept !== undefined && messages.length === 0 && (
        <Empty title="The queue is empty">
          <p>
            {queue.sources.length > 0
              ? 'Messages that fail too often come here.'
              : 'Send a message below. Messages that a function handles leave the queue at once: look for them under '}
            {queue.sources.length === 0 && (
              <a href={addressOf('/invocations', { source: `queue ${name}` })}>Invocations</a>
            )}
            {queue.sources.length === 0 && '.'}
          </p>
        </Empty>
      )}
      {messages.length > 0 && (
        <ol class="messages">
          {messages.map(message => (
            <Message key={message.messageId} message={message} queue={queue} onChange={onChange} />
          ))}
        </ol>
      )}
      {messages.length > 0 && messages.length < all && (
        <div>
          <button type="button" onClick={() => void showMore()}>
            Show more
          </button>
        </div>
      )}
    </Section>
  )
}

function Message({
  message,
  queue,
  onChange,
}: {
  readonly message: QueueMessage
  readonly queue: QueueState
  readonly onChange: () => void
}) {
  const isOpen = query.value.get('message') === message.messageId
  // A message that was sent to the queue directly has not failed.
  const hasFailed = queue.sources.length > 0 && message.state === 'visible' && message.receiveCount > 0
  return (
    <li>
      <button
        type="button"
        class="message-head"
        aria-expanded={isOpen}
        onClick={() => setQuery({ message: isOpen ? undefined : message.messageId })}
      >
        <span class="fold-sign" aria-hidden="true">
          {isOpen ? '▾' : '▸'}
        </span>
        <span class="message-body mono cut">
          <Text of={message.body} most={160} />
        </span>
        <span class="message-facts">
          <Badge tone={hasFailed ? 'bad' : 'plain'}>
            {hasFailed
              ? `failed ${message.receiveCount === 1 ? 'once' : `${message.receiveCount} times`}`
              : message.state === 'visible'
                ? 'waiting'
                : message.state}
          </Badge>
          <span class="faint">
            <Time at={message.sentAt} />
          </span>
        </span>
      </button>
      {isOpen && <MessageDetails message={message} queue={queue} onChange={onChange} />}
    </li>
  )
}

function MessageDetails({
  message,
  queue,
  onChange,
}: {
  readonly message: QueueMessage
  readonly queue: QueueState
  readonly onChange: () => void
}) {
  const why = useAnswer(
    signal => ask(queueApi.get('/messages/{id}/invocations', { params: { id: message.messageId }, signal })),
    message.messageId,
  )
  const isDeadLetter = message.deadLetterSource !== undefined || queue.sources.length > 0
  return (
    <div class="message-details stack">
      <dl class="facts">
        <Figure name="Message id">
          <span class="mono">
            <Text of={message.messageId} />
          </span>
        </Figure>
        <Figure name="Received">
          {message.receiveCount === 1 ? 'once' : `${message.receiveCount} times`}
        </Figure>
        {message.state !== 'visible' && (
          <Figure name="Visible">
            <Time at={message.visibleAt} />
          </Figure>
        )}
        {message.group !== undefined && (
          <Figure name="Group">
            <Text of={message.group} />
          </Figure>
        )}
        {message.deduplicationId !== undefined && (
          <Figure name="Deduplication id">
            <Text of={message.deduplicationId} />
          </Figure>
        )}
        {message.deadLetterSource !== undefined && (
          <Figure name="Came from">
            <a href={addressOf(`/queues/${segment(message.deadLetterSource)}`)}>
              <Text of={message.deadLetterSource} />
            </a>
          </Figure>
        )}
        {Object.entries(message.attributes).map(([name, { dataType, stringValue, binaryValue }]) => (
          <div key={name}>
            <dt>
              <Text of={name} most={80} /> (<Text of={dataType} most={40} />)
            </dt>
            <dd>
              <Text of={stringValue ?? binaryValue ?? ''} />
            </dd>
          </div>
        ))}
      </dl>
      <h3>Body</h3>
      <JsonView text={message.body} label="the body" />
      {isDeadLetter && message.state === 'visible' && (
        <Resend message={message} queue={queue} onSent={onChange} />
      )}
      {!isDeadLetter && (
        <div class="actions">
          <button
            type="button"
            onClick={() =>
              go(
                `${addressOf(`/queues/${segment(queue.name)}`, { copy: `${queue.name} ${message.messageId}` })}#send`,
              )
            }
          >
            Edit and send a copy
          </button>
        </div>
      )}
      <h3>What became of it</h3>
      {why.error && <ProblemNote text={why.error} retry={why.reload} />}
      {why.value !== undefined &&
        (why.value.invocations.length === 0 ? (
          <p class="faint">No invocation in the log has this message.</p>
        ) : (
          <List invocations={why.value.invocations} />
        ))}
    </div>
  )
}
