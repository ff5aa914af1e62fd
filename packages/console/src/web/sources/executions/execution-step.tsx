import type { Step } from '@signalbox/platform-invoke/console'
import { useState } from 'preact/hooks'
import { addressOf, segment } from '../../address/address.ts'
import { ask } from '../../api/api.ts'
import { useAction } from '../../api/use-answer.ts'
import { JsonView } from '../../json/json-view.tsx'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { TextField } from '../../parts/field.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { Text } from '../../text/text.tsx'
import { Time } from '../../time/time.tsx'
import { durationInWords } from '../../time/words-of-time.ts'
import { Attempts } from './attempts.tsx'
import { executionApi } from './execution-api.ts'

const types = {
  Context: 'context',
  Step: 'step',
  Wait: 'wait',
  Callback: 'callback',
  ChainedInvoke: 'call',
} as const satisfies { readonly [type in Step['type']]: string }

const states = {
  Started: ['plain', 'running'],
  Succeeded: ['good', 'done'],
  Failed: ['bad', 'failed'],
  TimedOut: ['bad', 'timed out'],
  Cancelled: ['warn', 'cancelled'],
  Stopped: ['warn', 'stopped'],
} as const satisfies { readonly [state in Step['state']]: readonly [Tone, string] }

/** Something that an execution did, or waits for, with what came of it. */
export function ExecutionStep({ step, onChange }: { readonly step: Step; readonly onChange: () => void }) {
  const { type, state, name, startedAt, endedAt, until, attempts, called, callbackId } = step
  const [tone, text] = states[state]
  const isOpen = state === 'Started'
  return (
    <li class="card" style={{ marginInlineStart: `${Math.min(step.depth, 6) * 16}px` }}>
      <div class="actions">
        <strong>{name === undefined ? types[type] : <Text of={name} most={80} />}</strong>
        {name !== undefined && <span class="faint">{types[type]}</span>}
        <Badge tone={tone}>{isOpen && type !== 'Step' && type !== 'Context' ? 'waits' : text}</Badge>
        <span class="faint">
          <Time at={startedAt} />
          {endedAt !== undefined && `, took ${durationInWords(endedAt - startedAt)}`}
          {until !== undefined && isOpen && (
            <>
              {type === 'Step' ? ', next attempt ' : ', until '}
              <Time at={until} />
            </>
          )}
        </span>
      </div>
      {called !== undefined && <Called {...called} />}
      {attempts.length > 1 && <Attempts of={attempts} />}
      {step.input !== undefined && <Folded title="Input" text={step.input} />}
      {step.result !== undefined && <Folded title="Result" text={step.result} />}
      {step.error !== undefined && attempts.length < 2 && <Folded title="Error" text={step.error} isOpen />}
      {isOpen && callbackId !== undefined && <Callback id={callbackId} onChange={onChange} />}
    </li>
  )
}

function Called({ functionName, execution }: NonNullable<Step['called']>) {
  return (
    <p>
      calls{' '}
      <a href={addressOf(`/functions/${segment(functionName)}`)}>
        <Text of={functionName} most={140} />
      </a>
      {execution !== undefined && (
        <>
          , whose <a href={addressOf(`/executions/${segment(execution)}`)}>execution</a> it waits for
        </>
      )}
    </p>
  )
}

function Folded({
  title,
  text,
  isOpen = false,
}: {
  readonly title: string
  readonly text: string
  readonly isOpen?: boolean
}) {
  return (
    <details open={isOpen}>
      <summary class="faint">{title}</summary>
      <JsonView text={text} label={`the ${title.toLowerCase()} of the step`} />
    </details>
  )
}

/** What a visitor who may act can answer to a callback. */
function Callback({ id, onChange }: { readonly id: string; readonly onChange: () => void }) {
  const [text, setText] = useState('')
  const end = async (body: { readonly result: string } | { readonly error: string }) => {
    await ask(executionApi.post('/execution-callbacks/{id}', { params: { id }, body }))
    onChange()
  }
  const succeed = useAction(() => end({ result: text }))
  const fail = useAction(() => end({ error: text }))
  const isBusy = succeed.isBusy || fail.isBusy
  return (
    <form
      class="stack"
      onSubmit={event => {
        event.preventDefault()
        succeed.start()
      }}
    >
      <p class="faint mono">
        <Text of={id} most={200} />
      </p>
      <TextField
        label="Result as the function reads it, or the message of an error"
        isWide
        value={text}
        onText={setText}
      />
      <div class="actions">
        <button type="submit" class="main" disabled={isBusy}>
          Succeed
        </button>
        <button type="button" class="danger" disabled={isBusy} onClick={fail.start}>
          Fail
        </button>
      </div>
      {succeed.error && <ProblemNote text={succeed.error} />}
      {fail.error && <ProblemNote text={fail.error} />}
    </form>
  )
}
