import { useState } from 'preact/hooks'
import { ask } from '../../api/api.ts'
import { useAction, useAnswer } from '../../api/use-answer.ts'
import { TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { Section } from '../../parts/section.tsx'
import { plainText } from '../../text/segments-of.ts'
import { Text } from '../../text/text.tsx'
import { Time } from '../../time/time.tsx'
import { queueApi } from './queue-api.ts'

/**
 * A control that moves dead letters back to their source queues, shows the progress, and can stop the move.
 */
export function Redrive({
  name,
  waiting,
  onChange,
}: {
  readonly name: string
  readonly waiting: number
  readonly onChange: () => void
}) {
  const params = { name }
  const [perSecond, setPerSecond] = useState('')
  const tasks = useAnswer(signal => ask(queueApi.get('/queues/{name}/redrives', { params, signal })), name, {
    every: 1000,
  })
  const latest = tasks.value?.[0]
  const isRunning = latest?.status === 'RUNNING'
  const start = useAction(async () => {
    const body = perSecond === '' ? {} : { perSecond: Number(perSecond) }
    await ask(queueApi.post('/queues/{name}/redrives', { params, body }))
    tasks.reload()
    onChange()
  })
  const stop = useAction(async () => {
    if (latest)
      await ask(queueApi.del('/queues/{name}/redrives/{task}', { params: { name, task: latest.task } }))
    tasks.reload()
    onChange()
  })
  return (
    <Section title="Redrive">
      <div class="card stack">
        <p class="faint">
          Moves the dead letters back to the queues that they came from. Mend the function first: otherwise
          they fail again.
        </p>
        {latest !== undefined && (
          <div class="stack" role="status">
            <p>
              {latest.moved.toLocaleString('en')} of {latest.toMove.toLocaleString('en')} moved,{' '}
              {Object.hasOwn(statuses, latest.status)
                ? statuses[latest.status]
                : plainText(latest.status.slice(0, 60))}
              , started <Time at={latest.startedAt} />
              {latest.failure !== undefined && (
                <>
                  : <Text of={latest.failure} />
                </>
              )}
            </p>
            {isRunning && (
              <progress aria-label="Moved messages" max={Math.max(1, latest.toMove)} value={latest.moved} />
            )}
          </div>
        )}
        <Form
          action={start}
          button={waiting === 0 ? 'Nothing to redrive' : `Redrive ${waiting.toLocaleString('en')}`}
          busy="Starting"
          isDisabled={isRunning || waiting === 0}
          tools={
            isRunning && (
              <button type="button" class="danger" disabled={stop.isBusy} onClick={stop.start}>
                Stop
              </button>
            )
          }
          result={stop.error && <ProblemNote text={stop.error} />}
        >
          <div class="filters">
            <TextField
              label="Messages a second"
              type="number"
              min="1"
              max="500"
              placeholder="no limit"
              value={perSecond}
              onText={setPerSecond}
            />
          </div>
        </Form>
      </div>
    </Section>
  )
}

const statuses: Readonly<Record<string, string>> = {
  RUNNING: 'running',
  COMPLETED: 'finished',
  CANCELLING: 'stopping',
  CANCELLED: 'stopped',
  FAILED: 'failed',
}
