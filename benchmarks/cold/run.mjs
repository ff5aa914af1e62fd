// Runs in a fresh process: imports a bundle, calls its handler, and reports the time of the first answer.
import { readFileSync } from 'node:fs'

const [bundle, questions] = process.argv.slice(2)
const [first, ...others] = JSON.parse(readFileSync(questions, 'utf8'))
const start = now()
const { handler } = await import(bundle)
const imported = now()
const answers = handler ? [await ask(first)] : []
const answered = now()
const sinceStart = process.uptime() * 1000
for (const question of others) answers.push(await ask(question))
process.stdout.write(
  JSON.stringify({ importing: imported - start, called: answered - start, answered: sinceStart, answers }),
)

// The first use of `performance` loads a part of Node, and a handler that uses it pays for that.
function now() {
  return Number(process.hrtime.bigint()) / 1_000_000
}

async function ask(question) {
  try {
    return { answer: await handler(question, { getRemainingTimeInMillis: () => 3_000 }) }
  } catch {
    return { failed: true }
  }
}
