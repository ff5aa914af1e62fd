import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type SpawnedBoxes, spawnBoxes } from '../spawned-boxes.ts'

/** The answer of the Invoke API. */
interface ApiAnswer {
  readonly body: unknown
  /** The ARN of the execution that was started. */
  readonly arn: string | undefined
}

/** Boxes that run executions on one database. */
export interface ExecutionBoxes extends Omit<SpawnedBoxes<string>, 'any'> {
  /** Sends a request to any box, again and again until one answers it. A refusal counts as an answer to a callback. */
  readonly insist: (
    method: 'GET' | 'POST',
    path: string,
    body?: string,
    headers?: { readonly [name: string]: string },
  ) => Promise<ApiAnswer>
}

/** Milliseconds after which a request that no box has answered is an error. */
const timeLimit = 120_000

/** Starts boxes for executions. */
export async function startExecutionBoxes(
  count: number,
  folder: string,
  serverUrl: string,
  random: () => number,
): Promise<ExecutionBoxes> {
  const { any, ...boxes } = await spawnBoxes<string>({
    ...{ count, folder, random },
    project: fileURLToPath(new URL('./platform', import.meta.url)),
    environment: () => ({ SIGNALBOX_POSTGRES_URL: serverUrl }),
    urlsOf: at => at('invoke'),
  })
  return {
    ...boxes,
    async insist(method, path, body, headers = {}) {
      for (const since = Date.now(); ; ) {
        const url = any()
        try {
          if (url !== undefined) {
            const response = await fetch(url + path, { method, headers, ...(body !== undefined && { body }) })
            const text = await response.text()
            const isEnded = response.status === 400 && path.includes('/durable-execution-callbacks/')
            if (response.ok || isEnded)
              return {
                body: text === '' ? undefined : JSON.parse(text),
                arn: response.headers.get('x-amz-durable-execution-arn') ?? undefined,
              }
            if (response.status < 500 && response.status !== 429)
              throw new Error(`${method} ${path}: ${response.status} ${text}`)
          }
        } catch (error) {
          if (!(error instanceof TypeError)) throw error
        }
        if (Date.now() - since > timeLimit) throw new Error(`No box answers ${method} ${path}.`)
        await delay(50)
      }
    },
  }
}
