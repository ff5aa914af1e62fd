// Runs a function that starts processes, reports the id of its process, and waits to be killed.
import { testInvoker } from './process-test-invoker.ts'

const shop = testInvoker({
  module: new URL('./functions/hostile.ts', import.meta.url).href,
  timeout: 60_000,
  memory: 128,
})
await shop.invoke({ do: 'children' })
const { payload } = await shop.invoke({ do: 'echo' })
if (process.argv[2] === 'busy') void shop.invoke({ do: 'exit' })
setTimeout(() => process.send!((JSON.parse(payload) as { process: number }).process), 100)
