import { executionModeStandard } from '@middy/core/Standard'
import type { Deadline } from './deadline.ts'
import type { InvocationContext, Plugin, Request } from './plugin.ts'

type Hook = (request: Answered) => unknown
type Handler = (event: unknown, context: InvocationContext, options: never) => unknown
/** Whoever sets `earlyResponse`, to whatever, answers early. */
type Answered = Request & { earlyResponse?: unknown }
type Run = (event: unknown, context: InvocationContext) => Promise<unknown>

/** What middy calls an execution mode: it makes the handler out of hooks, which are still being added. */
type Mode = (
  tools: {
    readonly middyRequest: (event: unknown, context: InvocationContext) => Answered
    readonly runRequest: (request: Answered, ...parts: readonly unknown[]) => Promise<unknown>
  },
  befores: readonly Hook[],
  handler: Handler,
  afters: readonly Hook[],
  onErrors: readonly Hook[],
  options: object,
) => Run & { handler(replacement: Handler): unknown }

/** What is done with an invocation, apart from hooks. */
interface Inside {
  /** The same as middy would call it, and for which all else stands in. */
  readonly dispatch: Handler
  readonly pluginFor: (event: unknown) => Plugin
  readonly begin: (context: InvocationContext) => Deadline
}

/**
 * Middy's standard mode for handlers without middy's own hooks and time-out, in less than half its time: hooks that
 * are synchronous are called one after the other in one function, without a second promise, and without the
 * AbortController that middy makes for each request and nobody here listens to. Whatever is not that simple, such as
 * a hook that answers with a promise, or an error, is left to middy itself from where it happens on.
 */
export function straightMode({ dispatch, pluginFor, begin }: Inside): Mode {
  return ({ middyRequest, runRequest }, befores, initial, afters, onErrors, options) => {
    let handler = initial

    function run(event: unknown, context: InvocationContext): Promise<unknown> {
      const request = middyRequest(event, context)
      if (handler !== dispatch || request.context === null) return leave(request, befores, afters)
      let invocation: Deadline | undefined
      try {
        for (let i = 0, all = befores.length; i < all; i++) {
          const given = befores[i]!(request)
          if (given instanceof Promise)
            return goOn(request, [() => given, ...befores.slice(i + 1, all)], afters)
          if (isOver(request, given)) return Promise.resolve(request.response)
        }
        invocation = begin(request.context)
        const answer = pluginFor(request.event).handler(request.event as never, request.context, invocation)
        if (answer instanceof Promise) return later(request, answer, invocation)
        request.response = answer
      } catch (error) {
        invocation?.end()
        return fail(request, error)
      }
      invocation.end()
      return Promise.resolve(finish(request))
    }

    async function later(
      request: Answered,
      answer: Promise<unknown>,
      invocation: Deadline,
    ): Promise<unknown> {
      try {
        request.response = await answer
      } catch (error) {
        invocation.end()
        return fail(request, error)
      }
      invocation.end()
      return finish(request)
    }

    function finish(request: Answered): unknown {
      try {
        for (let i = 0, all = afters.length; i < all; i++) {
          const given = afters[i]!(request)
          if (given instanceof Promise) {
            // Middy begins with a handler, whose answer it notes, and with nobody having answered early.
            const { response, earlyResponse } = request
            const isEarly = 'earlyResponse' in request
            delete request.earlyResponse
            const resume = (): unknown => {
              request.response = response
              if (isEarly) request.earlyResponse = earlyResponse
              return given
            }
            return goOn(request, [], [resume, ...afters.slice(i + 1, all)], nothing)
          }
          if (isOver(request, given)) break
        }
        return request.response
      } catch (error) {
        return fail(request, error)
      }
    }

    function fail(request: Answered, error: unknown): Promise<unknown> {
      const again = (): never => {
        throw error
      }
      return goOn(request, [again], afters)
    }

    /** Middy takes over in the middle. It looks into the context first, which hooks may have taken away by now. */
    function goOn(
      request: Answered,
      ...rest: readonly [readonly Hook[], readonly Hook[], Handler?]
    ): Promise<unknown> {
      request.context ??= {}
      return leave(request, ...rest)
    }

    /** Middy takes over, with these hooks still to be called. */
    function leave(
      request: Answered,
      before: readonly Hook[],
      after: readonly Hook[],
      by = handler,
    ): Promise<unknown> {
      const standard = executionModeStandard as unknown as Mode
      const tools = { middyRequest: () => request, runRequest }
      return standard(tools, before, by, after, onErrors, options)(request.event, request.context)
    }

    return Object.assign(run, {
      handler(replacement: Handler) {
        handler = replacement
        return run
      },
    })
  }
}

const nothing: Handler = () => undefined

/** Whether a hook answered early, by returning something or by setting it, as middy sees it. */
function isOver(request: Answered, given: unknown): boolean {
  if (given !== undefined) request.earlyResponse = given
  if (!('earlyResponse' in request)) return false
  request.response = request.earlyResponse
  return true
}
