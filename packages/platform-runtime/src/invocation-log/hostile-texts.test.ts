import { Worker } from 'node:worker_threads'
import { expect, it } from '@jest/globals'
import { hostileTexts } from '@signalbox/telemetry/testing/hostile-texts'

/** The limit in milliseconds. Code whose time grows with the square of the length would take hours. */
const timeLimit = 90_000

it('the invocation log masks every hostile string of 1 MB within the time limit', async () => {
  const module = JSON.stringify(new URL('masked-entry.ts', import.meta.url).href)
  const code = `
    const { parentPort } = require('node:worker_threads')
    Promise.all([import(${module}), import('@signalbox/telemetry/testing/hostile-texts')]).then(
      ([{ maskedEntry }, { hostileTexts }]) => {
        for (const [name, of] of Object.entries(hostileTexts)) {
          const text = of(1_000_000)
          const logs = [{ stream: 'out', text }]
          maskedEntry({ event: JSON.stringify({ body: text }), payload: text, logs })
          parentPort.postMessage(name)
        }
      },
    )`
  const worker = new Worker(code, {
    eval: true,
    execArgv: ['--conditions=@signalbox/source', '--disable-warning=ExperimentalWarning'],
  })
  const done: string[] = []
  const timer = setTimeout(() => void worker.terminate(), timeLimit)
  await new Promise<void>((resolve, reject) => {
    worker.on('message', (name: string) => done.push(name))
    worker.on('error', reject)
    worker.on('exit', () => resolve())
  })
  clearTimeout(timer)
  expect(done).toEqual(Object.keys(hostileTexts))
})
