import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The result of a function: the text of its payload, or its error. */
export type Answer =
  | { readonly kind: 'response'; readonly payload: string }
  | { readonly kind: 'error'; readonly errorType: string; readonly errorMessage: string }

/** A local service that implements version 2018-06-01 of the Lambda Runtime API. */
export interface RuntimeApi extends AsyncDisposable {
  /** The address of the service, which the runtime client reads from AWS_LAMBDA_RUNTIME_API. */
  readonly address: string
  /** Passes an event to the runtime client, with a timeout in milliseconds, and waits for the result. */
  invoke(event: unknown, timeout: number): Promise<Answer>
}

interface Invocation {
  readonly id: string
  readonly event: string
  readonly timeout: number
  readonly respond: (answer: Answer) => void
}

/** Starts the service on this machine, for one runtime client. */
export async function runtimeApi(): Promise<RuntimeApi> {
  const queued: Invocation[] = []
  const running = new Map<string, Invocation>()
  let idle: ServerResponse | undefined
  let count = 0

  const handOver = () => {
    const invocation = idle && queued.shift()
    if (!idle || !invocation) return
    running.set(invocation.id, invocation)
    idle.setHeader('Content-Type', 'application/json')
    idle.setHeader('Lambda-Runtime-Aws-Request-Id', invocation.id)
    idle.setHeader('Lambda-Runtime-Deadline-Ms', Date.now() + invocation.timeout)
    idle.setHeader(
      'Lambda-Runtime-Invoked-Function-Arn',
      'arn:aws:lambda:eu-central-1:111122223333:function:example',
    )
    idle.setHeader('Lambda-Runtime-Trace-Id', 'Root=1-5759e988-bd862e3fe1be46a994272793')
    idle.end(invocation.event)
    idle = undefined
  }

  const server = createServer(async (request, response) => {
    const [, , , what, id, how] = request.url?.split('/') ?? []
    if (what === 'invocation' && id === 'next') {
      idle = response
      return handOver()
    }
    const body = await textOf(request)
    response.writeHead(202).end()
    if (what === 'init') {
      for (const { respond } of [...queued.splice(0), ...running.values()]) respond(failure(body))
      return
    }
    running.get(id ?? '')?.respond(how === 'response' ? { kind: 'response', payload: body } : failure(body))
    running.delete(id ?? '')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    invoke: (event, timeout) =>
      new Promise(respond => {
        queued.push({ id: `request-${++count}`, event: JSON.stringify(event), timeout, respond })
        handOver()
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function failure(body: string): Answer {
  const { errorType, errorMessage } = JSON.parse(body)
  return { kind: 'error', errorType, errorMessage }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}
