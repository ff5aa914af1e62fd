// Runs a function in an endless loop, reports the id of its process, and waits to be killed.
import { testInvoker } from './process-test-invoker.ts'

const shop = testInvoker({ timeout: 60_000 })
const { payload } = await shop.invoke({ do: 'answer' })
void shop.invoke({ do: 'loop' })
setTimeout(() => process.send!((JSON.parse(payload) as { process: number }).process), 100)
