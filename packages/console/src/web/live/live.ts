import { effect, signal } from '@preact/signals'
import type { LiveEvents } from '../../api/live.ts'
import { hasSession } from '../api/api.ts'

/** The state of the live connection. */
export const connection = signal<'opening' | 'open' | 'lost'>('opening')

/** The latest `numbers` event, which has statistics about the last second. */
export const numbers = signal<LiveEvents['numbers'] | undefined>(undefined)

/** The filters of the live invocations, as the query of a URL. An empty string selects all invocations. */
const wanted = signal<string>('')
const isVisible = signal(!document.hidden)
const round = signal(0)
const receivers = new Set<(news: LiveEvents['invocations']) => void>()

document.addEventListener('visibilitychange', () => {
  isVisible.value = !document.hidden
})

effect(() => {
  // An invisible page closes its connection, to save the platform's resources.
  if (hasSession.value !== true || !isVisible.value) return
  void round.value
  connection.value = 'opening'
  const source = new EventSource(`/console/api/live${wanted.value}`)
  source.onopen = () => {
    connection.value = 'open'
  }
  source.addEventListener('invocations', event => {
    const news: LiveEvents['invocations'] = JSON.parse(event.data)
    for (const receive of receivers) receive(news)
  })
  source.addEventListener('numbers', event => {
    connection.value = 'open'
    numbers.value = JSON.parse(event.data)
  })
  let retry: ReturnType<typeof setTimeout> | undefined
  source.onerror = () => {
    connection.value = 'lost'
    if (source.readyState !== EventSource.CLOSED) return
    retry = setTimeout(() => {
      round.value++
    }, 3000)
  }
  return () => {
    clearTimeout(retry)
    source.close()
  }
})

/** Receives the new invocations that pass the filters, until the returned function is called. */
export function watchInvocations(
  query: string,
  receive: (news: LiveEvents['invocations']) => void,
): () => void {
  wanted.value = query
  receivers.add(receive)
  return () => {
    receivers.delete(receive)
  }
}
