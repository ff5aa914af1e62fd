import type { Observer, Request } from '@signalbox/core'
import { failureOf } from './facts/failure.ts'
import {
  type AnyRecord,
  attemptOf,
  type InvocationFacts,
  invocationFacts,
  messageFacts,
} from './facts/invocation-facts.ts'
import type { Metrics } from './metrics.ts'
import type { Attributes, Failure, Span, Tracer } from './trace/span.ts'

/** Whether no event has come yet. */
let isCold = true

/** Records one invocation, and each message of its batch. */
export class Invocation implements Observer {
  readonly #tracer: Tracer
  readonly #metrics: Metrics | undefined
  readonly #facts: InvocationFacts
  readonly #span: Span
  readonly #began = process.hrtime()
  /** The spans of messages that are handled. */
  readonly #messages = new Set<Span>()
  #isOver = false

  constructor(request: Request, tracer: Tracer, metrics: Metrics | undefined, joinsSender: boolean) {
    this.#tracer = tracer
    this.#metrics = metrics
    this.#facts = invocationFacts(request.event, request.context, tracer, joinsSender)
    const { name, kind, parent, links } = this.#facts
    const attributes = { ...this.#facts.attributes, 'faas.coldstart': isCold }
    this.#span = tracer.start({ name, kind, parent, links, attributes })
    if (isCold) {
      metrics?.coldstarts.add(1, this.#labels)
      metrics?.initDuration.record(process.uptime(), this.#labels)
    }
    isCold = false
  }

  /** Whether anyone sees the spans or metrics. */
  get #isSeen(): boolean {
    return this.#metrics !== undefined || this.#span.isRecording
  }

  /** The attributes of metrics. Each has few values, whatever clients send. */
  get #labels(): { readonly [name: string]: string } {
    return { 'faas.trigger': String(this.#facts.attributes['faas.trigger']) }
  }

  handle<Result>(run: () => Result): Result {
    return this.#span.run(run)
  }

  message<Result>(record: AnyRecord, run: () => Promise<Result>): Promise<Result> {
    return this.#isSeen ? this.#recorded(record, run) : run()
  }

  async #recorded<Result>(record: AnyRecord, run: () => Promise<Result>): Promise<Result> {
    const facts = messageFacts(record, this.#tracer)
    const span = this.#tracer.start({ ...facts, parent: this.#span })
    const began = process.hrtime()
    this.#messages.add(span)
    const end = (failure?: Failure, attributes?: Attributes) => {
      // When the batch is over, the message counts as failed, whatever its handler does later.
      if (!this.#messages.delete(span)) return
      if (attributes !== undefined) span.set(attributes)
      span.end(failure)
      this.#recordMessage(facts.attributes, began, failure)
    }
    if ((attemptOf(record) ?? 1) > 1)
      this.#metrics?.retries.add(1, pick(facts.attributes, ['messaging.destination.name']))
    try {
      const result = await span.run(run)
      end()
      return result
    } catch (error) {
      const isDiscarded = (Object(error) as { readonly code?: unknown }).code === 'DISCARDED'
      if (isDiscarded) end(undefined, { 'signalbox.queue.discarded': true })
      else end(failureOf(error))
      throw error
    }
  }

  end(request: Request): void {
    if (this.#isOver) return
    this.#isOver = true
    if (!this.#isSeen) return
    for (const span of this.#messages) span.end({ type: 'timeout' })
    this.#messages.clear()
    const { name, attributes, failure } = this.#facts.atEnd(request)
    if (name !== undefined) this.#span.rename(name)
    if (attributes !== undefined) this.#span.set(attributes)
    this.#span.end(failure)
    const metrics = this.#metrics
    if (metrics === undefined) return
    const labels = this.#labels
    metrics.invokeDuration.record(secondsSince(this.#began), labels)
    if (failure === undefined) metrics.invocations.add(1, labels)
    else metrics.errors.add(1, { ...labels, 'error.type': failure.type })
  }

  #recordMessage(attributes: Attributes, began: [number, number], failure: Failure | undefined): void {
    this.#metrics?.processDuration.record(secondsSince(began), {
      ...pick(attributes, ['messaging.system', 'messaging.operation.name', 'messaging.destination.name']),
      ...(failure !== undefined && { 'error.type': failure.type }),
    })
  }
}

function secondsSince(began: [number, number]): number {
  const [seconds, nanoseconds] = process.hrtime(began)
  return seconds + nanoseconds / 1e9
}

function pick(attributes: Attributes, names: readonly string[]): { readonly [name: string]: string } {
  return Object.fromEntries(names.map(name => [name, String(attributes[name])]))
}
