import type { InvocationSummary } from '@signalbox/platform-runtime/console'
import type { ComponentChild } from 'preact'
import { useEffect } from 'preact/hooks'
import { addressOf, query } from '../../address/address.ts'
import { Command, Empty } from '../../parts/empty.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { PageHead } from '../../parts/section.tsx'
import { Text } from '../../text/text.tsx'
import { Time } from '../../time/time.tsx'
import { durationInWords } from '../../time/words-of-time.ts'
import { FilterBar } from './filter-bar.tsx'
import { Timeline } from './timeline.tsx'
import { useInvocations } from './use-invocations.ts'
import { loggedInWords, resultText, VerdictBadge } from './verdict-badge.tsx'

/** The live list of invocations, with its timeline and its filters. */
export function InvocationsPage() {
  const filters = query.value.toString()
  const model = useInvocations(filters)
  const list = model.listed.value
  useEffect(() => {
    // A moving list is hard to read, so it does not change until the reader scrolls back to its top.
    let isAway = false
    const onScroll = () => {
      const isNowAway = scrollY > 400
      if (isNowAway !== isAway) model.hold(isNowAway)
      isAway = isNowAway
    }
    addEventListener('scroll', onScroll, { passive: true })
    return () => removeEventListener('scroll', onScroll)
  }, [model])
  return (
    <>
      <PageHead
        title="Invocations"
        tools={
          <button
            type="button"
            aria-pressed={model.isHeld.value}
            onClick={() => model.hold(!model.isHeld.value)}
          >
            {model.isHeld.value
              ? `Resume${model.waiting.value > 0 ? ` (${model.waiting.value.toLocaleString('en')} new)` : ''}`
              : 'Pause'}
          </button>
        }
      >
        Each event that a function got, what it answered, and what the platform concluded.
      </PageHead>
      <FilterBar />
      {model.problem.value !== '' && <ProblemNote text={model.problem.value} />}
      {list !== undefined && (
        <>
          <Timeline invocations={list.invocations} />
          {list.invocations.length === 0 ? (
            <NoInvocations isFiltered={filters !== ''} />
          ) : (
            <List invocations={list.invocations} />
          )}
          {list.skipped > 0 && (
            <p class="faint">
              {list.skipped.toLocaleString('en')} more came faster than this list shows them. Filters find
              them.
            </p>
          )}
          {list.before !== undefined && (
            <div>
              <button type="button" disabled={model.isLoading.value} onClick={() => void model.older()}>
                {model.isLoading.value ? 'Loading' : 'Show older ones'}
              </button>
            </div>
          )}
        </>
      )}
    </>
  )
}

function NoInvocations({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <Empty title="No invocation passes these filters">
      <p>
        Clear a filter, or wait: new invocations that pass appear here. A text is searched in the first 1024
        characters of the event, of the payload and of the logs.
      </p>
    </Empty>
  ) : (
    <Empty title="No function was called yet">
      <p>
        Send an event on the page <a href={addressOf('/try')}>Try it</a>, or use a source: an HTTP request, a
        message, a mail or a sign-up. In a terminal:
      </p>
      <Command>signalbox invoke FUNCTION --sample NAME</Command>
    </Empty>
  )
}

/** A table of invocations. */
export function List({ invocations }: { readonly invocations: readonly InvocationSummary[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section class="table invocations" aria-label="List of invocations" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Event</th>
            <th scope="col" class="extra">
              Function
            </th>
            <th scope="col">Verdict</th>
            <th scope="col" class="extra number">
              Duration
            </th>
            <th scope="col" class="number">
              When
            </th>
          </tr>
        </thead>
        <tbody>{invocations.map(rowOf)}</tbody>
      </table>
    </section>
  )
}

/** Rows never change, so each is rendered only once. */
const rows = new WeakMap<InvocationSummary, ComponentChild>()

function rowOf(invocation: InvocationSummary): ComponentChild {
  const made = rows.get(invocation)
  if (made !== undefined) return made
  const row = <Row key={invocation.id} of={invocation} />
  rows.set(invocation, row)
  return row
}

function Row({ of }: { readonly of: InvocationSummary }) {
  const { id, functionName, source, summary, duration, started, attempt, loggedErrors } = of
  return (
    <tr>
      <th scope="row">
        <a href={addressOf(`/invocations/${id}`)}>
          <Text of={summary} most={120} />
        </a>{' '}
        {attempt > 1 && <span class="faint nowrap">attempt {attempt}</span>}
        <div class="faint small">
          #{id} from <Text of={source} most={60} />
        </div>
      </th>
      <td class="extra">
        <Text of={functionName} most={60} />
      </td>
      <td>
        <VerdictBadge of={of} />{' '}
        {loggedErrors > 0 && <span class="small nowrap">{loggedInWords(loggedErrors)}</span>}
        <div class="faint small cut">
          <Text of={resultText(of).replaceAll('\n', ' ')} most={160} />
        </div>
      </td>
      <td class="extra number">{durationInWords(duration)}</td>
      <td class="number">
        <Time at={started} />
      </td>
    </tr>
  )
}
