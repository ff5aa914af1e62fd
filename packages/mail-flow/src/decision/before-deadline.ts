/**
 * Settles with the outcome of `work`. If the signal aborts first, settles with the outcome of `late()` and ignores
 * `work`.
 */
export function beforeDeadline<A>(work: Promise<A>, signal: AbortSignal, late: () => A): Promise<A> {
  return new Promise((resolve, reject) => {
    // Inside a promise, an error that `late` throws becomes a rejection.
    const giveUp = () => resolve(new Promise(resolveLate => resolveLate(late())))
    const stopListening = () => signal.removeEventListener('abort', giveUp)
    work.then(stopListening, stopListening)
    work.then(resolve, reject)
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
  })
}
