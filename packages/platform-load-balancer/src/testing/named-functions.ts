import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import type { PlatformOptions } from '@signalbox/platform-runtime/platform'
import type { LoadBalancerConfig } from '../config/load-balancer-config.ts'
import { createPlatform } from './balancer-program.ts'
import { ok } from './running-balancer.ts'

/** A request. */
export interface Sent {
  readonly method?: string
  readonly path?: string
  readonly headers?: { readonly [name: string]: string | readonly string[] }
  readonly body?: string
}

/** What came back. */
interface Answer {
  readonly status: number
  readonly location: string | undefined
  readonly type: string | undefined
  readonly text: string
  readonly headers: IncomingHttpHeaders
}

/** Starts a load balancer in front of the functions `one`, `two` and `three`, which say their names and header maps. */
export async function started(loadBalancer: Omit<LoadBalancerConfig, 'port'>, options: PlatformOptions = {}) {
  const named = (name: string) => ({
    timeout: 5,
    handler: async (event: {
      readonly multiValueHeaders?: object
      readonly requestContext: { elb: { targetGroupArn: string } }
    }) => {
      const isMulti = event.multiValueHeaders !== undefined
      const kind = isMulti ? { multiValueHeaders: {} } : { headers: {} }
      return {
        ...ok,
        ...kind,
        body: `${name}${isMulti ? ' multi' : ''} ${event.requestContext.elb.targetGroupArn}`,
      }
    },
  })
  const platform = createPlatform(
    {
      functions: { one: named('one'), two: named('two'), three: named('three') },
      loadBalancers: { web: { port: 0, ...loadBalancer } },
      dataDir: ':memory:',
      grace: 1,
    } as never,
    options,
  )
  const [address] = await platform.start()
  const url = new URL(address!.url)
  const agent = new Agent({ keepAlive: true })
  const send = ({ method = 'GET', path = '/', headers = {}, body }: Sent = {}) =>
    new Promise<Answer>((resolve, reject) => {
      const sent = httpRequest(
        { agent, host: url.hostname, port: url.port, method, path, headers: headers as never },
        response => {
          let text = ''
          response.setEncoding('utf8').on('data', part => {
            text += part
          })
          response.on('end', () =>
            resolve({
              status: response.statusCode!,
              location: response.headers.location,
              type: response.headers['content-type'],
              text: text.trimEnd(),
              headers: response.headers,
            }),
          )
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })
  const says = async (sent?: Sent) => (await send(sent)).text.split(' ')[0]
  return {
    send,
    says,
    port: url.port,
    async [Symbol.asyncDispose]() {
      agent.destroy()
      await platform.stop()
    },
  }
}
