import type { QueueState } from '@signalbox/platform-queue/console'
import { useState } from 'preact/hooks'
import { addressOf, segment } from '../../address/address.ts'
import { ask } from '../../api/api.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Figure } from '../../parts/figure.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { PageHead, Section } from '../../parts/section.tsx'
import { Plot } from '../../plot/plot.tsx'
import { Text } from '../../text/text.tsx'
import { spanInWords } from '../../time/words-of-time.ts'
import { Messages } from './messages.tsx'
import { liveQueues, queueApi } from './queue-api.ts'
import { Redrive } from './redrive.tsx'
import { SendMessage } from './send-message.tsx'

/** The page of one queue: its depth over time, its messages, and actions. */
export function QueuePage({ name }: { readonly name: string }) {
  const params = { name }
  const queue = useAnswer(signal => ask(queueApi.get('/queues/{name}', { params, signal })), name, {
    every: 5000,
  })
  const [changes, setChanges] = useState(0)
  const state = liveQueues()?.find(each => each.name === name) ?? queue.value
  const changed = () => {
    setChanges(was => was + 1)
    queue.reload()
  }
  if (state === undefined || queue.value === undefined)
    return (
      <>
        <PageHead title={<Text of={name} />}>{queue.error === undefined && 'Loading'}</PageHead>
        {queue.error && <ProblemNote text={queue.error} retry={queue.reload} />}
      </>
    )
  return (
    <>
      <PageHead title={<Text of={name} />} tools={<Purge state={state} onChange={changed} />}>
        <a href={addressOf('/queues')}>Queues</a> › {state.isFifo ? 'a FIFO queue' : 'a standard queue'}
        {state.sources.length > 0 && (
          <>
            {' '}
            for the dead letters of <QueueLinks names={state.sources} />
          </>
        )}
      </PageHead>
      {queue.error && <ProblemNote text={queue.error} retry={queue.reload} />}
      <Facts state={state} />
      {/* Visitors of a dead-letter queue look for its messages, so the history comes after them. */}
      {state.sources.length === 0 && <History name={name} />}
      <Messages queue={state} changes={changes} onChange={changed} />
      {state.sources.length > 0 && (
        <>
          <Redrive name={name} waiting={state.visible} onChange={changed} />
          <History name={name} />
        </>
      )}
      <SendMessage queue={state} onSent={changed} />
      <Section title="Attributes">
        <dl class="facts card">
          {Object.entries(state.attributes).map(([attribute, value]) => (
            <Figure key={attribute} name={attribute}>
              <Text of={value} />
            </Figure>
          ))}
        </dl>
      </Section>
    </>
  )
}

function Facts({ state }: { readonly state: QueueState }) {
  return (
    <dl class="figures card">
      <Figure name="Waiting">{state.visible.toLocaleString('en')}</Figure>
      <Figure name="In flight">{state.inFlight.toLocaleString('en')}</Figure>
      <Figure name="Delayed">{state.delayed.toLocaleString('en')}</Figure>
      <Figure name="Oldest">{state.oldestAge === undefined ? '–' : spanInWords(state.oldestAge)}</Figure>
      {state.functions.length > 0 && (
        <Figure name="Goes to">
          {state.functions.map((each, index) => (
            <span key={each}>
              {index > 0 && ', '}
              <a href={addressOf(`/functions/${segment(each)}`)}>
                <Text of={each} />
              </a>
            </span>
          ))}
        </Figure>
      )}
      {state.deadLetter && (
        <Figure name={`Dead letters, after ${state.deadLetter.maxReceiveCount} receives`}>
          <a href={addressOf(`/queues/${segment(state.deadLetter.queue)}`)}>
            {state.deadLetters ? (
              <Badge tone="bad">{state.deadLetters.toLocaleString('en')}</Badge>
            ) : (
              <Text of={state.deadLetter.queue} />
            )}
          </a>
        </Figure>
      )}
    </dl>
  )
}

function QueueLinks({ names }: { readonly names: readonly string[] }) {
  return (
    <>
      {names.map((each, index) => (
        <span key={each}>
          {index > 0 && ', '}
          <a href={addressOf(`/queues/${segment(each)}`)}>
            <Text of={each} />
          </a>
        </span>
      ))}
    </>
  )
}

function History({ name }: { readonly name: string }) {
  const { value } = useAnswer(
    signal => ask(queueApi.get('/queues/{name}/history', { params: { name }, signal })),
    name,
    { every: 2000 },
  )
  if (value === undefined) return null
  const times = value.map(({ at }) => at)
  return (
    <div class="columns">
      <Plot
        title="Depth"
        times={times}
        lines={[
          { name: 'waiting', values: value.map(({ state }) => state.visible) },
          { name: 'in flight', values: value.map(({ state }) => state.inFlight) },
        ]}
        format={count => count.toLocaleString('en')}
      />
      <Plot
        title="Age of the oldest message"
        times={times}
        lines={[{ name: 'age', values: value.map(({ state }) => state.oldestAge ?? 0) }]}
        format={spanInWords}
      />
    </div>
  )
}

function Purge({ state, onChange }: { readonly state: QueueState; readonly onChange: () => void }) {
  const { name } = state
  const count = state.visible + state.inFlight + state.delayed
  return (
    <ActionButton
      label="Purge"
      busy="Purging"
      isDangerous
      question={{
        title: 'Purge this queue?',
        confirm: `Delete ${count === 1 ? 'the message' : `${count.toLocaleString('en')} messages`}`,
        text: (
          <>
            This deletes every message of <Text of={name} />, those in flight included. They cannot be brought
            back.
          </>
        ),
      }}
      work={async () => {
        await ask(queueApi.post('/queues/{name}/purge', { params: { name }, body: { confirm: name } }))
        onChange()
      }}
    />
  )
}
