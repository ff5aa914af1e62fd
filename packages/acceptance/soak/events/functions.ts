import { aws } from '@signalbox/aws'
import {
  deadline,
  type Invocation,
  type InvocationContext,
  type Middleware,
  type Plugin,
  signalbox,
} from '@signalbox/core'
import {
  loadBalancerNormalizer,
  loadBalancerValidator,
  responseSerializer,
  router,
} from '@signalbox/load-balancer'
import { mailFlowNormalizer, mailFlowSerializer, mailFlowValidator } from '@signalbox/mail-flow'
import { partialFailures, queueNormalizer, queueValidator } from '@signalbox/queue'
import { telemetry } from '@signalbox/telemetry'
import {
  triggerRouter,
  userPoolNormalizer,
  userPoolSerializer,
  userPoolValidator,
} from '@signalbox/user-pool'
import { httpMiddlewares, httpPlugin, httpRoutes, logLine, marking, type Sessions } from './load-balancer.ts'
import { mailHandler, mailOptions, mailPlugin } from './mail-flow.ts'
import { stackOf } from './middy-stack.ts'
import { batchHandlers, batchPlugin, messagesPlugin } from './queue.ts'
import type { TokenIssuer } from './token-issuer.ts'
import { poolOnce, poolPlugin, poolRoutes } from './user-pool.ts'
import { clock, seeOwn } from './visit.ts'

export const families = ['user-pool', 'queue', 'mail-flow', 'load-balancer'] as const
type Family = (typeof families)[number]

/** A function that handles many events at once. */
export interface FunctionUnderTest {
  readonly name: string
  readonly families: readonly Family[]
  /** Whether it takes events in the names of AWS. */
  readonly isForAws: boolean
  readonly call: (event: never, context: never) => Promise<unknown>
}

/** Returns one function for all families in each of its forms, and plain middy stacks of the same parts. */
export function functionsUnderTest(issuer: TokenIssuer, session: Sessions): readonly FunctionUnderTest[] {
  const options = { clock, reserve: 100 }
  const composed = (messages: Plugin, own: object = options) =>
    signalbox(poolPlugin(), messages, mailPlugin(), httpPlugin(issuer, session), own as never).use([
      telemetry({ log: true }),
      marking('a function'),
      poolOnce(),
      ...httpMiddlewares(),
    ])
  // Options of middy select its own mode of execution.
  const observed = {
    ...options,
    requestStart: ({ event }: { readonly event: unknown }) => seeOwn('requestStart', event),
    requestEnd: ({ event, context }: { readonly event: unknown; readonly context: unknown }) =>
      seeOwn('requestEnd', event, context),
  }
  const everything = (name: string, handler: ReturnType<typeof composed>) => [
    { name, families, isForAws: false, call: handler as never },
    { name: `aws(${name})`, families, isForAws: true, call: aws(handler) as never },
  ]
  const plain = (family: Family, name: string, middlewares: readonly Middleware[], handler: unknown) => ({
    name,
    families: [family],
    isForAws: false,
    call: stackOf(
      [telemetry({ log: true }), ...middlewares, marking(name)],
      withInvocation(handler as AnyHandler),
    ) as never,
  })
  const poolParts = [userPoolNormalizer(), userPoolValidator(), userPoolSerializer(), poolOnce()]
  const queueParts = [queueNormalizer(), queueValidator(), partialFailures()]
  const { onWarnings } = mailOptions
  const mailParts = [
    mailFlowNormalizer(),
    mailFlowValidator(),
    mailFlowSerializer(onWarnings ? { onWarnings } : {}),
  ]
  const httpParts = [
    responseSerializer({ log: logLine, errors: { TimeoutError: 503 } }),
    loadBalancerNormalizer(),
    loadBalancerValidator(),
    ...httpMiddlewares(),
  ]
  return [
    ...everything('messages', composed(messagesPlugin())),
    ...everything('batches', composed(batchPlugin())),
    ...everything('observed', composed(messagesPlugin(), observed)),
    plain('user-pool', 'triggerRouter', poolParts, triggerRouter(...poolRoutes)),
    ...Object.entries(batchHandlers).map(([name, handler]) => plain('queue', name, queueParts, handler)),
    plain('mail-flow', 'decideMail', mailParts, mailHandler),
    plain('load-balancer', 'router', httpParts, router(httpRoutes(issuer, session))),
  ]
}

type AnyHandler = (event: never, context: never, invocation: Invocation) => unknown

/** Gives a handler the deadline of its invocation, which `signalbox()` gives it elsewhere. */
function withInvocation(handler: AnyHandler) {
  return async (event: never, context: InvocationContext) => {
    const invocation = deadline(context, { clock, reserve: 100 })
    try {
      return await handler(event, context as never, invocation)
    } finally {
      invocation.end()
    }
  }
}
