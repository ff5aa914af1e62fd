import type { ExecutionStory } from '@signalbox/platform-invoke/console'
import { useState } from 'preact/hooks'
import { addressOf, segment } from '../../address/address.ts'
import { ask } from '../../api/api.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { JsonView } from '../../json/json-view.tsx'
import { ActionButton } from '../../parts/action-button.tsx'
import { Figure } from '../../parts/figure.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { PageHead, Section } from '../../parts/section.tsx'
import { Table } from '../../parts/table.tsx'
import { Text } from '../../text/text.tsx'
import { Time } from '../../time/time.tsx'
import { durationInWords } from '../../time/words-of-time.ts'
import { executionApi } from './execution-api.ts'
import { ExecutionStep } from './execution-step.tsx'
import { StatusBadge } from './status-badge.tsx'

/** The page of one execution: its steps in their order, what it waits for, its invocations and its history. */
export function ExecutionPage({ id }: { readonly id: string }) {
  const params = { id }
  const [isOver, setOver] = useState(false)
  const { value, error, reload } = useAnswer(
    async signal => {
      const story = await ask(executionApi.get('/executions/{id}', { params, signal }))
      setOver(story.execution.status !== 'RUNNING')
      return story
    },
    id,
    isOver ? {} : { every: 2000 },
  )
  if (value === undefined)
    return (
      <>
        <PageHead title="Execution">{error === undefined && 'Loading'}</PageHead>
        {error && <ProblemNote text={error} retry={reload} />}
      </>
    )
  const { execution, steps } = value
  return (
    <>
      <PageHead
        title={<Text of={execution.name} most={200} />}
        tools={execution.status === 'RUNNING' && <Stop id={id} onDone={reload} />}
      >
        <a href={addressOf('/executions')}>Executions</a> ›{' '}
        <a href={addressOf(`/functions/${segment(execution.functionName)}`)}>
          <Text of={execution.functionName} />
        </a>
      </PageHead>
      {error && <ProblemNote text={error} retry={reload} />}
      <Facts story={value} />
      <Section title="Story">
        {steps.length === 0 ? (
          <p class="faint">The function has not begun a step.</p>
        ) : (
          <ol class="texts">
            {steps.map(step => (
              <ExecutionStep key={step.id} step={step} onChange={reload} />
            ))}
          </ol>
        )}
        {value.isCut && <p class="faint">This is the beginning of the story. The history has all of it.</p>}
      </Section>
      <div class="columns">
        <Section title="Input">
          <JsonView text={value.input ?? ''} label="the input" />
        </Section>
        {value.result !== undefined && (
          <Section title="Result">
            <JsonView text={value.result} label="the result" />
          </Section>
        )}
        {value.error !== undefined && (
          <Section title="Error">
            <JsonView text={value.error} label="the error" />
          </Section>
        )}
      </div>
      <Invocations of={value.invocations} />
      <History id={id} />
    </>
  )
}

function Facts({
  story: { execution, arn, retryAt, codeChangedAt, invocations },
}: {
  readonly story: ExecutionStory
}) {
  const { status, startedAt, endedAt } = execution
  return (
    <dl class="facts card">
      <Figure name="Status">
        <StatusBadge of={status} />
      </Figure>
      <Figure name="Started">
        <Time at={startedAt} />
      </Figure>
      {endedAt !== undefined && <Figure name="Took">{durationInWords(endedAt - startedAt)}</Figure>}
      {status === 'RUNNING' && retryAt !== undefined && (
        <Figure name="Runs again">
          <Time at={retryAt} />
        </Figure>
      )}
      <Figure name="Replays">{Math.max(0, invocations.length - 1)}</Figure>
      {codeChangedAt !== undefined && (
        <Figure name="Code changed">
          <Time at={codeChangedAt} />
        </Figure>
      )}
      <Figure name="ARN">
        <span class="mono">
          <Text of={arn} />
        </span>
      </Figure>
    </dl>
  )
}

function Stop({ id, onDone }: { readonly id: string; readonly onDone: () => void }) {
  return (
    <ActionButton
      label="Stop"
      busy="Stopping"
      isDangerous
      question={{
        title: 'Stop this execution?',
        confirm: 'Stop the execution',
        text: 'What it has done stays done, and nothing else of it will run.',
      }}
      work={async () => {
        await ask(executionApi.post('/executions/{id}/stop', { params: { id }, body: {} }))
        onDone()
      }}
    />
  )
}

function Invocations({ of }: { readonly of: ExecutionStory['invocations'] }) {
  if (of.length === 0) return null
  return (
    <Section title="Invocations">
      <p class="faint">
        Each invocation runs the function from its beginning, and takes from the history what was done before.
      </p>
      <Table
        label="Invocations of the execution"
        rows={of}
        keyOf={each => `${each.requestId} ${each.startedAt}`}
        columns={[
          {
            name: 'Request id',
            cell: each => (
              <a class="mono" href={addressOf('/invocations', { requestId: each.requestId })}>
                <Text of={each.requestId} most={36} />
              </a>
            ),
          },
          { name: 'Started', cell: each => <Time at={each.startedAt} /> },
          { name: 'Duration', isNumber: true, cell: each => durationInWords(each.endedAt - each.startedAt) },
          {
            name: 'Error',
            cell: each =>
              each.error === undefined ? <span class="faint">–</span> : <Text of={each.error} most={120} />,
          },
        ]}
      />
    </Section>
  )
}

function History({ id }: { readonly id: string }) {
  const [after, setAfter] = useState(0)
  const { value, error, reload } = useAnswer(
    signal => ask(executionApi.get('/executions/{id}/history', { params: { id }, query: { after }, signal })),
    `${id} ${after}`,
  )
  const last = value?.at(-1)
  return (
    <Section
      title="History"
      tools={
        <>
          <button type="button" class="quiet" disabled={after === 0} onClick={() => setAfter(0)}>
            From the beginning
          </button>
          <button
            type="button"
            class="quiet"
            onClick={() => (last === undefined ? reload() : setAfter(last.id))}
          >
            Later events
          </button>
        </>
      }
    >
      {error && <ProblemNote text={error} retry={reload} />}
      {value?.length === 0 && <p class="faint">There are no later events.</p>}
      {value !== undefined && value.length > 0 && (
        <Table
          label="Events of the history"
          rows={value}
          keyOf={each => each.id}
          columns={[
            { name: 'Event', isNumber: true, cell: each => each.id },
            { name: 'Time', cell: each => <Time at={each.at} /> },
            { name: 'Type', cell: each => <Text of={each.type} most={40} /> },
            {
              name: 'Name',
              cell: each =>
                each.name === undefined ? <span class="faint">–</span> : <Text of={each.name} most={60} />,
            },
            {
              name: 'Details',
              isExtra: true,
              cell: each => (
                <span class="mono">
                  <Text of={each.details} most={160} />
                </span>
              ),
            },
          ]}
        />
      )}
    </Section>
  )
}
