import { appendFileSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { StepSemantics, withDurableExecution } from '@aws/durable-execution-sdk-js'
import { GetDurableExecutionHistoryCommand, LambdaClient } from '@aws-sdk/client-lambda'

/** Writes that a step is called, and ends the process at the first call. */
function crashOnce({ calls, text }) {
  appendFileSync(calls, `${text}\n`)
  if (readFileSync(calls, 'utf8').split('\n').length === 2) process.exit(1)
  return text
}

/** Waits until the history says that a step has started. The SDK runs this step before it has told so. */
async function started(DurableExecutionArn) {
  const client = new LambdaClient()
  for (;;) {
    const { Events } = await client.send(new GetDurableExecutionHistoryCommand({ DurableExecutionArn }))
    if (Events.some(({ EventType }) => EventType === 'StepStarted')) return
    await delay(5)
  }
}

const semantics = StepSemantics.AtMostOncePerRetry
const again = (_error, attempt) => ({ shouldRetry: attempt < 2, delay: { seconds: 1 } })

const rules = {
  once: (event, context) =>
    context.step('charge', async () => crashOnce(event), {
      ...{ semantics, retryStrategy: () => ({ shouldRetry: false }) },
    }),
  again: (event, context) =>
    context.step('charge', async () => crashOnce(event), { semantics, retryStrategy: again }),
  child: (event, context) =>
    context.runInChildContext(child =>
      child.step(async () => {
        await started(context.executionContext.durableExecutionArn)
        return crashOnce(event)
      }),
    ),
}

/** A durable function whose step ends its process. The event has the name of a rule and the path of a file. */
export const handler = withDurableExecution((event, context) => rules[event.rule](event, context))
