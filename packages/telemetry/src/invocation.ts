import { durableExecution, type MessageEnd, type Observer, type Request } from '@signalbox/core'
import { attempt } from './attempt.ts'
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
  /** Only metrics need it. */
  readonly #began: [number, number]
  /** Ends the spans of messages that are handled. */
  #ends: Set<(failure?: Failure, attributes?: Attributes) => void> | undefined
  #isOver = false

  constructor(request: Request, tracer: Tracer, metrics: Metrics | undefined, joinsSender: boolean) {
    this.#tracer = tracer
    this.#metrics = metrics
    this.#began = metrics === undefined ? [0, 0] : process.hrtime()
    this.#facts = invocationFacts(request.event, request.context, tracer, joinsSender)
    const { name, kind, parent, links } = this.#facts
    const attributes = { ...this.#facts.attributes, ...durableFacts(), 'faas.coldstart': isCold }
    this.#span = tracer.start({ name, kind, parent, links, attributes })
    if (isCold) {
      metrics?.coldstarts(1, this.#labels)
      metrics?.initDuration(process.uptime(), this.#labels)
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

  async message(record: AnyRecord, run: () => Promise<MessageEnd>): Promise<MessageEnd> {
    const started = this.#isSeen ? attempt(() => this.#startMessage(record)) : undefined
    if (started === undefined) return run()
    const { span, end } = started
    try {
      const result = await span.run(run)
      attempt(() => end(undefined, result === 'discarded' ? { 'signalbox.queue.discarded': true } : {}))
      return result
    } catch (error) {
      attempt(() => end(failureOf(error)))
      throw error
    }
  }

  #startMessage(record: AnyRecord) {
    const facts = messageFacts(record, this.#tracer)
    const span = this.#tracer.start({ ...facts, parent: this.#span })
    const began = process.hrtime()
    const end = (failure?: Failure, attributes: Attributes = {}) => {
      // When the batch is over, the message counts as failed, whatever its handler does later.
      if (!this.#ends!.delete(end)) return
      span.set(attributes)
      span.end(failure)
      this.#recordMessage(facts.attributes, began, failure)
    }
    this.#ends ??= new Set()
    this.#ends.add(end)
    if ((attemptOf(record) ?? 1) > 1)
      this.#metrics?.retries(1, pick(facts.attributes, ['messaging.destination.name']))
    return { span, end }
  }

  suspend(): void {
    if (this.#isOver) return
    this.#isOver = true
    if (this.#isSeen) attempt(() => this.#suspend())
  }

  /** Ends the spans of an invocation whose execution goes on in another one. */
  #suspend(): void {
    const suspended = { 'signalbox.durable.suspended': true }
    for (const end of this.#ends ?? []) end(undefined, suspended)
    this.#span.set(suspended)
    this.#span.end(undefined)
    this.#metrics?.invokeDuration(secondsSince(this.#began), this.#labels)
    this.#metrics?.invocations(1, this.#labels)
    this.#metrics?.flush?.()
  }

  end(request: Request): void {
    if (this.#isOver) return
    this.#isOver = true
    if (this.#isSeen) attempt(() => this.#finish(request))
  }

  #finish(request: Request): void {
    for (const end of this.#ends ?? []) end({ type: 'timeout' })
    const { name, attributes, failure } = this.#facts.atEnd(request)
    if (name !== undefined) this.#span.rename(name)
    if (attributes !== undefined) this.#span.set(attributes)
    this.#span.end(failure)
    const metrics = this.#metrics
    if (metrics === undefined) return
    const labels = this.#labels
    metrics.invokeDuration(secondsSince(this.#began), labels)
    if (failure === undefined) metrics.invocations(1, labels)
    else metrics.errors(1, { ...labels, 'error.type': failure.type })
    metrics.flush?.()
  }

  #recordMessage(attributes: Attributes, began: [number, number], failure: Failure | undefined): void {
    this.#metrics?.processDuration(secondsSince(began), {
      ...pick(attributes, ['messaging.system', 'messaging.operation.name', 'messaging.destination.name']),
      ...(failure !== undefined && { 'error.type': failure.type }),
    })
  }
}

/** Returns what a span says of the execution of a durable function. */
function durableFacts(): Attributes {
  const execution = durableExecution()
  return execution === undefined
    ? {}
    : { 'signalbox.durable.execution': execution.arn, 'signalbox.durable.replaying': execution.isReplaying }
}

function secondsSince(began: [number, number]): number {
  const [seconds, nanoseconds] = process.hrtime(began)
  return seconds + nanoseconds / 1e9
}

function pick(attributes: Attributes, names: readonly string[]): { readonly [name: string]: string } {
  return Object.fromEntries(names.map(name => [name, String(attributes[name])]))
}
