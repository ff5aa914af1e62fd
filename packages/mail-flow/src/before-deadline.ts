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
    const settled = () => signal.removeEventListener('abort', giveUp)
    work.then(resolve, reject).finally(settled)
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
  })
}
