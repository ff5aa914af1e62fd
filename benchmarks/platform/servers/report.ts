/**
 * Sends the URL of this server to the parent process, and answers the parent's requests for used processor time
 * or memory.
 */
export function report(url: string): void {
  process.send!({ url })
  process.on('message', asked => {
    // Collects garbage first, so that only memory in use counts.
    if (asked === 'memory') globalThis.gc?.()
    const { user, system } = process.cpuUsage()
    const { rss, heapUsed, external } = process.memoryUsage()
    process.send!({ processor: user + system, rss, used: heapUsed + external })
  })
  process.on('disconnect', () => process.exit())
}
