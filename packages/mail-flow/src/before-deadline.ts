/**
 * What `work` comes to, or what `late` does when the signal is aborted first. What `work` comes to after that is
 * nobody's business, a failure included.
 */
export function beforeDeadline<A>(work: Promise<A>, signal: AbortSignal, late: () => A): Promise<A> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      try {
        resolve(late())
      } catch (error) {
        reject(error)
      }
    }
    const stopListening = () => signal.removeEventListener('abort', giveUp)
    work.then(
      value => {
        stopListening()
        resolve(value)
      },
      error => {
        stopListening()
        reject(error)
      },
    )
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
  })
}
