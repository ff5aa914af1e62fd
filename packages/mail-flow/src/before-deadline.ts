/**
 * What `work` comes to, or what `late` does when the signal is aborted first. What `work` comes to after that is
 * nobody's business, a failure included.
 */
export function beforeDeadline<A>(work: Promise<A>, signal: AbortSignal, late: () => A): Promise<A> {
  return new Promise((resolve, reject) => {
    // The inner promise turns what `late` throws into a failure.
    const giveUp = () => resolve(new Promise(settle => settle(late())))
    const stopListening = () => signal.removeEventListener('abort', giveUp)
    work.then(stopListening, stopListening)
    work.then(resolve, reject)
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
  })
}
