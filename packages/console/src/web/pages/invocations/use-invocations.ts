import { signal } from '@preact/signals'
import type { InvocationSummary } from '@signalbox/platform-runtime/console'
import { useEffect, useMemo } from 'preact/hooks'
import type { LiveEvents } from '../../../api/live.ts'
import { api, ask, wordsOf } from '../../api/api.ts'
import { watchInvocations } from '../../live/live.ts'
import { filterQuery, filtersIn } from './filters.ts'
import { type Listed, mostListed, withNews, withOlder } from './listed.ts'

/** The shortest time between two updates of the list, in milliseconds. */
const beat = 200

/** The maximum number of new invocations per update, so that the page stays responsive. */
const mostAtOnce = 12

/** Returns the live list of the invocations that pass the filters of an address. */
export function useInvocations(query: string) {
  const model = useMemo(() => liveList(), [])
  useEffect(() => model.open(new URLSearchParams(query)), [model, query])
  return model
}

function liveList() {
  const listed = signal<Listed | undefined>(undefined)
  const problem = signal('')
  const isHeld = signal(false)
  /** The number of invocations that arrived while the list was paused. */
  const waiting = signal(0)
  const isLoading = signal(false)
  /** The invocations that have arrived but are not shown yet, oldest first. */
  let news: readonly InvocationSummary[] = []
  let skipped = 0
  let current = new URLSearchParams()

  /** Adds invocations that have arrived, and skips those that arrive too fast to be shown. */
  const receive = (batch: LiveEvents['invocations']) => {
    const all = [...news, ...batch.invocations.toReversed()]
    news = all.slice(-mostListed)
    skipped += batch.skipped + all.length - news.length
    if (isHeld.value) waiting.value += batch.invocations.length + batch.skipped
  }

  const show = () => {
    if (listed.value === undefined || (news.length === 0 && skipped === 0)) return
    listed.value = withNews(listed.value, news.slice(0, mostAtOnce), skipped)
    news = news.slice(mostAtOnce)
    skipped = 0
  }

  const forget = () => {
    news = []
    skipped = 0
    waiting.value = 0
  }

  return {
    listed,
    problem,
    isHeld,
    waiting,
    isLoading,

    open(query: URLSearchParams): () => void {
      current = query
      forget()
      const aborting = new AbortController()
      const load = async () => {
        isLoading.value = true
        try {
          const page = await ask(
            api.get('/invocations', {
              query: { ...filtersIn(query, Date.now()), last: 50 } as never,
              signal: aborting.signal,
            }),
          )
          listed.value = { invocations: page.invocations, before: page.before, skipped: 0 }
          problem.value = ''
        } catch (error) {
          if (!aborting.signal.aborted) problem.value = wordsOf(error)
        }
        if (!aborting.signal.aborted) isLoading.value = false
      }
      void load()
      const { from: _from, ...filters } = filtersIn(query, Date.now())
      const end = watchInvocations(filterQuery(filters), receive)
      const timer = setInterval(() => {
        if (!isHeld.value) show()
      }, beat)
      return () => {
        aborting.abort()
        clearInterval(timer)
        end()
      }
    },

    hold(value: boolean): void {
      isHeld.value = value
      if (!value) waiting.value = 0
    },

    async older(): Promise<void> {
      const list = listed.value
      if (list?.before === undefined) return
      isLoading.value = true
      try {
        const page = await ask(
          api.get('/invocations', {
            query: { ...filtersIn(current, Date.now()), before: list.before, last: 100 } as never,
          }),
        )
        // The list is held, because new invocations would push out the older ones that the user has just requested.
        isHeld.value = true
        listed.value = withOlder(list, page)
      } catch (error) {
        problem.value = wordsOf(error)
      }
      isLoading.value = false
    },
  }
}
