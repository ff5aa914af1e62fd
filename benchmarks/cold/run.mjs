// In a fresh process: imports a bundle, asks its handler once, and says when it had what.
import { readFileSync } from 'node:fs'

const [bundle, event] = process.argv.slice(2)
const asked = JSON.parse(readFileSync(event, 'utf8'))
const start = performance.now()
const { handler } = await import(bundle)
const imported = performance.now()
const answer = await handler?.(asked, { getRemainingTimeInMillis: () => 3_000 })
const answered = performance.now()
process.stdout.write(JSON.stringify({ importing: imported - start, answered, answer }))
