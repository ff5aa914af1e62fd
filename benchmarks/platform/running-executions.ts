import { Agent, request } from 'node:http'
import { type Config, createPlatform } from '@signalbox/platform'

/** The executions that run at the same time, and the steps of each. */
export const together = 16
export const steps = 100
/** The executions whose waits are measured in a round. */
export const waits = 100
/** The executions that wait while others are measured. */
export const waitingExecutions = 100_000
/** The result of a step. */
export const result = JSON.stringify({ order: '1001', country: 'DE', parcels: 1, status: 'paid' })
/** How long an execution waits that only has to be there, in seconds. */
const longWait = 3000
/** Milliseconds for which the processor time of an idle platform is measured. */
const idleTime = 5000

interface DurableEvent {
  readonly DurableExecutionArn: string
  readonly CheckpointToken: string
  readonly InitialExecutionState: {
    readonly Operations: readonly {
      readonly Status: string
      readonly StartTimestamp: number
      readonly ExecutionDetails?: { readonly InputPayload: string }
    }[]
  }
}

/** A platform in this process, with a function that makes steps, and one that waits. */
export interface RunningExecutions {
  /** Runs executions with steps. Returns the steps per second. */
  readonly perSecond: () => Promise<number>
  /** Lets executions wait for a second. Returns by how many milliseconds 99 of 100 were late at most. */
  readonly lateness: () => Promise<number>
  /** Starts an execution that waits for longer than any measurement takes. Resolves with its id when it waits. */
  readonly startWaiting: () => Promise<string>
  /** Returns the milliseconds of processor time that the process takes in a second while nothing is due. */
  readonly idle: () => Promise<number>
  readonly stop: () => Promise<void>
}

/** Starts the platform. */
export async function runExecutions(where: Pick<Config, 'dataDir' | 'storage'>): Promise<RunningExecutions> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  let url = ''
  let ended = () => {}
  let left = 0
  let waiting = (_id: string) => {}
  let lateness: number[] = []
  const post = (path: string, body: object, headers = {}) =>
    send(agent, url + path, JSON.stringify(body), headers)
  const checkpoint = (arn: string, CheckpointToken: string, update: object) =>
    post(`/2025-12-01/durable-executions/${encodeURIComponent(arn)}/checkpoint`, {
      CheckpointToken,
      Updates: [update],
    })
  const end = () => {
    left--
    if (left === 0) ended()
    return { Status: 'SUCCEEDED', Result: '1' }
  }
  const work = async ({ DurableExecutionArn, CheckpointToken }: DurableEvent) => {
    let token = CheckpointToken
    for (let at = 0; at < steps; at++) {
      const update = { Id: `s${at}`, Name: 'step', Type: 'STEP', Action: 'SUCCEED', Payload: result }
      token = (await checkpoint(DurableExecutionArn, token, update)).CheckpointToken
    }
    return end()
  }
  const rest = async ({ DurableExecutionArn, CheckpointToken, InitialExecutionState }: DurableEvent) => {
    const [first, wait] = InitialExecutionState.Operations
    if (wait?.Status === 'SUCCEEDED') {
      lateness.push(Date.now() - wait.StartTimestamp - 1000)
      return end()
    }
    const { seconds } = JSON.parse(first!.ExecutionDetails!.InputPayload) as { readonly seconds: number }
    await checkpoint(DurableExecutionArn, CheckpointToken, {
      ...{ Id: 'w', Type: 'WAIT', Action: 'START', WaitOptions: { WaitSeconds: seconds } },
    })
    waiting(DurableExecutionArn.split('/').at(-1)!)
    return { Status: 'PENDING' }
  }
  const durable = { timeout: 3600 }
  const platform = createPlatform(
    {
      functions: {
        work: { handler: work as never, durable, instances: together, timeout: 300 },
        rest: { handler: rest as never, durable, instances: waits },
      },
      invoke: { port: 0 },
      ...where,
    },
    { onNotice: text => console.error(text) },
  )
  const [address] = await platform.start()
  url = address!.url
  const all = async (name: string, count: number) => {
    const finished = new Promise<void>(resolve => {
      ended = resolve
    })
    left = count
    const started = performance.now()
    await Promise.all(
      Array.from({ length: count }, () =>
        post(
          `/2015-03-31/functions/${name}/invocations`,
          { seconds: 1 },
          { 'x-amz-invocation-type': 'Event' },
        ),
      ),
    )
    await finished
    return performance.now() - started
  }
  return {
    perSecond: async () => (together * steps * 1000) / (await all('work', together)),
    async lateness() {
      lateness = []
      await all('rest', waits)
      const sorted = lateness.toSorted((a, b) => a - b)
      return Math.max(0, sorted[Math.ceil(sorted.length * 0.99) - 1]!)
    },
    async startWaiting() {
      const started = new Promise<string>(resolve => {
        waiting = resolve
      })
      const headers = { 'x-amz-invocation-type': 'Event' }
      await post('/2015-03-31/functions/rest/invocations', { seconds: longWait }, headers)
      const id = await started
      waiting = () => {}
      return id
    },
    async idle() {
      const before = process.cpuUsage()
      await new Promise(resolve => setTimeout(resolve, idleTime))
      const { user, system } = process.cpuUsage(before)
      return (user + system) / idleTime
    },
    async stop() {
      await platform.stop()
      agent.destroy()
    },
  }
}

/** Sends a request and returns the answer, as JSON. */
function send(
  agent: Agent,
  url: string,
  body: string,
  headers: object,
): Promise<{ readonly CheckpointToken: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method: 'POST', headers: { ...headers } }, response => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.on('end', () => {
        if (response.statusCode! < 300) resolve(text === '' ? {} : JSON.parse(text))
        else reject(new Error(`${response.statusCode} ${text}`))
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
