/**
 * Settles like `work`, or with the result of `late` when the signal aborts first. A later result or failure of `work`
 * is ignored.
 */
export function beforeDeadline<A>(work: Promise<A>, signal: AbortSignal, late: () => A): Promise<A> {
  return new Promise((resolve, reject) => {
    // The inner promise turns an exception of `late` into a rejection.
    const giveUp = () => resolve(new Promise(resolveLate => resolveLate(late())))
    const stopListening = () => signal.removeEventListener('abort', giveUp)
    work.then(stopListening, stopListening)
    work.then(resolve, reject)
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
  })
}
