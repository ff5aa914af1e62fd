/** Tells the parent where this server is, and answers it what the process has used. */
export function report(url: string): void {
  process.send!({ url })
  process.on('message', asked => {
    // Of the memory only what is still used counts.
    if (asked === 'memory') globalThis.gc?.()
    const { user, system } = process.cpuUsage()
    const { rss, heapUsed, external } = process.memoryUsage()
    process.send!({ processor: user + system, rss, used: heapUsed + external })
  })
  process.on('disconnect', () => process.exit())
}
