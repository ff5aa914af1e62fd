import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { wordsOf } from './api.ts'

/** The state of a request whose answer a page shows. */
export interface Awaited<T> {
  /** The latest value, which remains until the next request is answered. */
  readonly value: T | undefined
  /** The error of the last request. */
  readonly error: string | undefined
  readonly reload: () => void
}

/**
 * Sends a request, and repeats it when `key` changes and every `every` milliseconds while the page is visible. A request
 * that is not answered yet is not repeated.
 * @param question gets a signal that aborts the request when its answer is no longer needed
 */
export function useAnswer<T>(
  question: (signal: AbortSignal) => Promise<T>,
  key: string,
  { every }: { readonly every?: number } = {},
): Awaited<T> {
  const [state, setState] = useState<{ readonly key: string; readonly value?: T; readonly error?: string }>({
    key,
  })
  const [round, setRound] = useState(0)
  const latest = useRef(question)
  const isAsking = useRef(false)
  latest.current = question
  useEffect(() => {
    const aborting = new AbortController()
    isAsking.current = true
    latest
      .current(aborting.signal)
      .then(value => setState({ key, value }))
      .catch(error => {
        if (!aborting.signal.aborted)
          setState(was => ({ ...(was.key === key ? was : {}), key, error: wordsOf(error) }))
      })
      .finally(() => {
        if (!aborting.signal.aborted) isAsking.current = false
      })
    return () => aborting.abort()
  }, [key, round])
  useEffect(() => {
    if (every === undefined) return
    const timer = setInterval(() => {
      if (!document.hidden && !isAsking.current) setRound(was => was + 1)
    }, every)
    return () => clearInterval(timer)
  }, [every])
  const reload = useCallback(() => setRound(was => was + 1), [])
  const isCurrent = state.key === key
  return { value: isCurrent ? state.value : undefined, error: isCurrent ? state.error : undefined, reload }
}

/** An action that a user starts, such as sending or purging. */
export interface Action {
  /** Starts the action. Does nothing while the action is running. */
  readonly start: () => void
  readonly isBusy: boolean
  readonly error: string | undefined
}

/** Returns an action that runs `work` when it is started, and keeps the error of the latest run. */
export function useAction(work: () => Promise<unknown>): Action {
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly error?: string }>({ isBusy: false })
  const start = () => {
    if (state.isBusy) return
    setState({ isBusy: true })
    work()
      .then(() => setState({ isBusy: false }))
      .catch(error => setState({ isBusy: false, error: wordsOf(error) }))
  }
  return { start, isBusy: state.isBusy, error: state.error }
}
