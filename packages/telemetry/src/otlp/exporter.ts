import { scope as ownScope } from '../trace/opentelemetry.ts'
import type { EndedSpan } from '../trace/own-tracer.ts'
import { encodeRequest, encodeSpan } from './encode.ts'
import type { OtlpSettings } from './settings.ts'

/** The number of spans of one request, and of all that wait. */
const [spansAtOnce, mostWaiting] = [512, 2048]

/** The maximum number of characters of all spans that wait. */
const mostCharacters = 8 * 1024 * 1024

/** Milliseconds for which spans are gathered. */
const gathering = 200

/** The statuses with which a receiver asks for another attempt, by the protocol. */
const askAgain = new Set([429, 502, 503, 504])

/** The number of attempts, and the milliseconds before the second one, which double each time. */
const [attempts, firstPause, longestPause] = [5, 500, 30_000]

/** The number of characters that are read of an answer, which says no more than what was rejected. */
const longestAnswer = 65_536

/** Milliseconds between two lines about spans that were lost. */
const silence = 60_000

interface Timers {
  readonly now: () => number
  readonly after: (ms: number, run: () => void) => () => void
}

/** Takes spans, and sends them later. */
export interface OtlpExporter {
  (span: EndedSpan): void
  /** Sends the spans that wait now. Resolves when they have arrived or are lost, or after `ms` milliseconds. */
  readonly flush: (ms: number) => Promise<void>
}

/**
 * Returns a function that sends spans, some milliseconds later and many at once, so that no answer waits for it. When the
 * receiver is away or busy, up to 2,048 spans wait for it; further ones are dropped, which a line says.
 * @param scope the name of the spans' library
 * @param say prints a line
 */
export function otlpExporter(
  settings: OtlpSettings,
  timers: Timers,
  scope: string = ownScope,
  say: (line: string) => void = line => void process.stderr.write(`telemetry: ${line}\n`),
): OtlpExporter {
  let waiting: string[] = []
  let characters = 0
  let sending: Promise<void> | undefined
  let isPlanned = false
  let lost = 0
  let saidAt = Number.NEGATIVE_INFINITY

  const lose = (count: number, why: string) => {
    lost += count
    const now = timers.now()
    if (now - saidAt < silence) return
    saidAt = now
    say(`${lost} spans were not sent: ${why}`)
    lost = 0
  }
  const pause = (ms: number) => new Promise<void>(resolve => void timers.after(ms, resolve))

  /** Sends spans. Returns when they have arrived or are lost. */
  const send = async (spans: readonly string[]): Promise<void> => {
    let why = ''
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const answer = await post(settings, encodeRequest(settings.resource, scope, spans))
      if ('rejected' in answer) {
        if (answer.rejected > 0) lose(answer.rejected, 'the receiver has rejected them')
        return
      }
      if (answer.status === 413 && spans.length > 1) {
        const half = Math.ceil(spans.length / 2)
        await send(spans.slice(0, half))
        return send(spans.slice(half))
      }
      why = answer.why
      if (answer.status !== undefined && !askAgain.has(answer.status)) break
      const wait = Math.min(answer.retryAfter ?? firstPause * 2 ** (attempt - 1), longestPause)
      // Many processes that were refused together should not come again together.
      if (attempt < attempts)
        await pause(answer.retryAfter === undefined ? wait * (0.5 + Math.random() / 2) : wait)
    }
    lose(spans.length, why)
  }

  const sendWaiting = async () => {
    while (waiting.length > 0) {
      const spans = waiting.slice(0, spansAtOnce)
      waiting = waiting.slice(spansAtOnce)
      for (const each of spans) characters -= each.length
      await send(spans)
    }
    sending = undefined
  }
  const sendAll = () => {
    // Without spans it would end before it is kept, and seem to go on for ever.
    if (waiting.length > 0) sending ??= sendWaiting()
    return sending
  }
  const plan = () => {
    if (isPlanned || sending !== undefined) return
    isPlanned = true
    timers.after(gathering, () => {
      isPlanned = false
      void sendAll()
    })
  }

  const take = (span: EndedSpan) => {
    const text = encodeSpan(span)
    if (waiting.length >= mostWaiting || characters + text.length > mostCharacters)
      return lose(1, 'more of them come than the receiver takes')
    waiting.push(text)
    characters += text.length
    plan()
  }
  return Object.assign(take, { flush: (ms: number) => Promise.race([sendAll(), pause(ms)]) })
}

type Answer =
  | { readonly rejected: number }
  | { readonly status: number | undefined; readonly why: string; readonly retryAfter: number | undefined }

/** Sends one request. Never throws. */
async function post({ url, headers, timeout }: OtlpSettings, body: string): Promise<Answer> {
  try {
    const response = await fetch(url, {
      ...{ method: 'POST', body, redirect: 'error', signal: AbortSignal.timeout(timeout) },
      headers: { ...headers, 'content-type': 'application/json' },
    })
    const text = await beginningOf(response)
    if (response.ok) return { rejected: rejectedIn(text) }
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    return {
      status: response.status,
      why: `the receiver answered ${response.status}`,
      retryAfter: seconds >= 0 ? seconds * 1000 : undefined,
    }
  } catch (error) {
    const { name, cause } = error as Error
    const code = (cause as { readonly code?: unknown } | undefined)?.code
    const why = `the receiver cannot be reached (${typeof code === 'string' ? code : name})`
    return { status: undefined, why, retryAfter: undefined }
  }
}

/** Reads the text of an answer, or its beginning if it does not end. */
async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > longestAnswer) break
  }
  return text
}

/** Returns the number of spans that a receiver has not accepted. */
function rejectedIn(text: string): number {
  try {
    return Number(JSON.parse(text)?.partialSuccess?.rejectedSpans ?? 0) || 0
  } catch {
    return 0
  }
}
