import { signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { LiveEvents } from '../../../api/live.ts'
import { api, ask, wordsOf } from '../../api/api.ts'
import { watchInvocations } from '../../live/live.ts'
import { filterQuery, filtersIn } from './filters.ts'
import { type Listed, withNews, withOlder } from './listed.ts'

/** New invocations are shown at most this often, in milliseconds. */
const beat = 250

/** The live list of the invocations that pass the filters of an address. */
export function useInvocations(query: string) {
  const model = useMemo(() => liveList(), [])
  useEffect(() => model.open(new URLSearchParams(query)), [model, query])
  return model
}

function liveList() {
  const listed = signal<Listed | undefined>(undefined)
  const problem = signal('')
  const isHeld = signal(false)
  /** What came while the list was held. */
  const waiting = signal(0)
  const isLoading = signal(false)
  let held: LiveEvents['invocations'][] = []
  let current = new URLSearchParams()

  const show = () => {
    const now = held
    held = []
    waiting.value = 0
    if (listed.value === undefined || now.length === 0) return
    const skipped = now.reduce((sum, each) => sum + each.skipped, 0)
    listed.value = withNews(
      listed.value,
      now.flatMap(each => each.invocations),
      skipped,
    )
  }

  return {
    listed,
    problem,
    isHeld,
    waiting,
    isLoading,

    open(query: URLSearchParams): () => void {
      current = query
      held = []
      waiting.value = 0
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
      const end = watchInvocations(filterQuery(filters), news => {
        held.push(news)
        // What nobody looks at is not kept: the list asks again.
        if (held.length > 100) held.splice(0, held.length - 100)
        if (isHeld.value) waiting.value += news.invocations.length + news.skipped
      })
      const timer = setInterval(() => {
        if (!isHeld.value && held.length > 0) show()
      }, beat)
      return () => {
        aborting.abort()
        clearInterval(timer)
        end()
      }
    },

    hold(value: boolean): void {
      isHeld.value = value
      if (!value) show()
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
        // New ones would push out what was just asked for.
        isHeld.value = true
        listed.value = withOlder(list, page)
      } catch (error) {
        problem.value = wordsOf(error)
      }
      isLoading.value = false
    },
  }
}
