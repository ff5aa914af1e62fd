import { registeredActiveSpan } from './opentelemetry.ts'
import { ownActiveSpan } from './own-tracer.ts'
import type { RemoteSpan } from './span.ts'

/** Returns the span that is active, of the SDK that is registered or of our own. */
export function activeSpan(): RemoteSpan | undefined {
  return registeredActiveSpan() ?? ownActiveSpan()
}
