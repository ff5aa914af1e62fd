/** What a span says. Values that are undefined are left out. */
export interface Attributes {
  readonly [name: string]: string | number | boolean | undefined
}

/** A span that another process started. Trace contexts have the form of https://www.w3.org/TR/trace-context. */
export interface RemoteSpan {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  readonly isSampled: boolean
}

/** What the work of a span is for its caller, by https://opentelemetry.io/docs/specs/otel/trace/api/#spankind. */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'

/** A span that starts. */
export interface NewSpan {
  readonly name: string
  readonly kind: SpanKind
  readonly attributes: Attributes
  /** The span of which this is a part. Undefined: what is active, or else a new trace. */
  readonly parent: Span | RemoteSpan | undefined
  /** The spans that caused this one, such as that of a message's sender. */
  readonly links: readonly RemoteSpan[]
}

/** A span that has started. */
export interface Span extends RemoteSpan {
  /** Whether anyone sees what the span says. */
  readonly isRecording: boolean
  /** Changes the name. */
  readonly rename: (name: string) => void
  readonly set: (attributes: Attributes) => void
  /** Ends the span. Further calls do nothing. */
  readonly end: (failure?: Failure) => void
  /** Runs work as a part of the span. Spans that start in it belong to this one. */
  readonly run: <Result>(work: () => Result) => Result
}

/** Why the work of a span failed, without any value of the user's. */
export interface Failure {
  /** The value of `error.type`: the name of an error, or an HTTP status. */
  readonly type: string
}

/** Starts spans. */
export interface Tracer {
  readonly start: (span: NewSpan) => Span
  /** Returns the span that headers speak of. Their names are in lower case. */
  readonly remote: (header: (name: string) => string | undefined) => RemoteSpan | undefined
}
