/** Returns what a promise rejects with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    value => {
      throw new Error(`resolved with ${String(value)}`)
    },
    error => error,
  )
}
