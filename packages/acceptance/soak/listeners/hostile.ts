// Runs the hostile clients of the soak in a separate process: `node hostile.ts URLS SEED SHARE`. It prints a line when they
// have started. They continue until the process gets a signal. Then it prints the number of attacks of each kind.
import { generator } from '@signalbox/platform-runtime/testing/generator'
import { attacks } from './attacks.ts'
import type { Listeners } from './honest-clients.ts'

const [urls = '', seed = '', share = ''] = process.argv.slice(2)
const counts: { [name: string]: number } = {}
for (const { name, every, run } of attacks(
  JSON.parse(urls) as Listeners,
  generator(Number(seed)),
  Number(share),
)) {
  counts[name] = 0
  let next = Date.now()
  const turn = () => {
    void run(counts[name]!++)
    // Attacks that this process missed while it was busy are skipped.
    next = Math.max(next + every, Date.now())
    setTimeout(turn, Math.max(0, next - Date.now()))
  }
  setTimeout(turn, Math.min(every, 500) * Math.random())
}
process.once('SIGTERM', () => {
  process.stdout.write(`${JSON.stringify(counts)}\n`, () => process.exit())
})
process.stdout.write('started\n')
