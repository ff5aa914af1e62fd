// #region container
/** A started container, as `start()` of a `GenericContainer` of Testcontainers returns it. */
export interface StartedContainer {
  readonly getHost: () => string
  /** Returns the port of this machine that leads to a port of the container. */
  readonly getMappedPort: (port: number) => number
  readonly stop: () => Promise<unknown>
}

/** What a function was given and answered, with secrets masked. */
export interface Invocation {
  readonly id: number
  readonly function: string
  readonly source: string
  readonly attempt: number
  readonly verdict: { readonly kind: string; readonly ok: boolean; readonly text: string } | null
  readonly event: unknown
  readonly payload: unknown
}

/**
 * A platform in a container, as a test uses it: its listeners for the clients of the test, and its test interface.
 * @example
 * const image = new GenericContainer('my-platform:testing')
 *   .withExposedPorts(3000, 9324, 9330)
 *   .withWaitStrategy(Wait.forHttp('/readyz', 9330))
 * const platform = new SignalboxContainer(await image.start())
 */
export class SignalboxContainer implements AsyncDisposable {
  readonly #container: StartedContainer

  constructor(container: StartedContainer) {
    this.#container = container
  }

  /** Returns the URL of a listener by its port in the container, such as 9324 for queues. */
  url(port: number): string {
    return `http://${this.#container.getHost()}:${this.#container.getMappedPort(port)}`
  }

  /** Deletes all data, or that of one part, such as `queues`. */
  async reset(part?: string): Promise<void> {
    await this.#ask('POST', part === undefined ? '/reset' : `/reset/${part}`)
  }

  /** Lets time pass: retries, delays, codes and tokens become due. */
  async advance(milliseconds: number): Promise<void> {
    await this.#ask('POST', '/clock', { advance: milliseconds })
  }

  /** Returns what was called. With `wait`, it waits so many seconds for the first one that passes the filters. */
  invocations(filters: {
    readonly function?: string
    readonly source?: string
    readonly verdict?: string
    readonly after?: number
    readonly wait?: number
  }): Promise<readonly Invocation[]> {
    const query = new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, String(value)]))
    return this.#ask('GET', `/invocations?${query}`) as Promise<readonly Invocation[]>
  }

  /** Returns the messages of a queue without receiving them. */
  messages(queue: string): Promise<readonly { readonly body: string; readonly state: string }[]> {
    return this.#ask('GET', `/queues/${encodeURIComponent(queue)}/messages`) as never
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#container.stop()
  }

  async #ask(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.url(9330)}/testing${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = await response.text()
    if (!response.ok) throw new Error(`${method} /testing${path}: ${answer}`)
    return JSON.parse(answer)
  }
}
// #endregion container
