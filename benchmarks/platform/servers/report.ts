/** Tells the parent where this server is, and answers it what the process has used. */
export function report(url: string): void {
  process.send!({ url })
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send!({ cpu: user + system, rss: process.memoryUsage.rss() })
  })
  process.on('disconnect', () => process.exit())
}
