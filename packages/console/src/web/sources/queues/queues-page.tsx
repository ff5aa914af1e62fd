import type { QueueState } from '@signalbox/platform-queue/console'
import { addressOf, segment } from '../../address/address.ts'
import { ask } from '../../api/api.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Badge } from '../../parts/badge.tsx'
import { Empty } from '../../parts/empty.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { PageHead } from '../../parts/section.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Text } from '../../text/text.tsx'
import { spanInWords } from '../../time/words-of-time.ts'
import { liveQueues, queueApi } from './queue-api.ts'

/** The page of all queues, with their current depths. */
export function QueuesPage() {
  const { value, error, reload } = useAnswer(signal => ask(queueApi.get('/queues', { signal })), 'queues', {
    every: 5000,
  })
  const queues = value && (liveQueues() ?? value)
  return (
    <>
      <PageHead title="Queues">Messages that wait, that are in flight, and that failed too often.</PageHead>
      {error && <ProblemNote text={error} retry={reload} />}
      {queues?.length === 0 && (
        <Empty title="The platform has no queue">
          <p>
            Name one under <code>queues</code> in your configuration file, with the function that gets its
            messages. A client of SQS may create one, too.
          </p>
        </Empty>
      )}
      {queues !== undefined && queues.length > 0 && (
        <Table label="Queues" columns={columns} rows={queues} keyOf={each => each.name} />
      )}
    </>
  )
}

const columns: readonly Column<QueueState>[] = [
  {
    name: 'Queue',
    cell: each => (
      <>
        <a href={addressOf(`/queues/${segment(each.name)}`)}>
          <Text of={each.name} most={80} />
        </a>{' '}
        {each.sources.length > 0 && <Badge tone="plain">dead letters</Badge>}
        <div class="faint small">
          {each.functions.length === 0 ? (
            each.sources.length === 0 && 'no function gets its messages'
          ) : (
            <>
              to <Text of={each.functions.join(', ')} most={80} />
            </>
          )}
        </div>
      </>
    ),
  },
  { name: 'Waiting', cell: each => each.visible.toLocaleString('en'), isNumber: true },
  { name: 'In flight', cell: each => each.inFlight.toLocaleString('en'), isNumber: true, isExtra: true },
  { name: 'Delayed', cell: each => each.delayed.toLocaleString('en'), isNumber: true, isExtra: true },
  {
    name: 'Oldest',
    cell: each => (each.oldestAge === undefined ? '–' : spanInWords(each.oldestAge)),
    isNumber: true,
    isExtra: true,
  },
  {
    name: 'Dead letters',
    cell: each =>
      each.deadLetter === undefined ? (
        <span class="faint">–</span>
      ) : (
        <a href={addressOf(`/queues/${segment(each.deadLetter.queue)}`)}>
          <DeadLetters count={each.deadLetters ?? 0} />
        </a>
      ),
    isNumber: true,
  },
]

function DeadLetters({ count }: { readonly count: number }) {
  return count === 0 ? '0' : <Badge tone="bad">{count.toLocaleString('en')}</Badge>
}
