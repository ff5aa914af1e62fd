import { type Cause, fromTraceparent, traceIdOf } from '@signalbox/platform-runtime/traces'
import { headerBlock, headerName, headers } from '../../message/header-lines.ts'

/** Returns what the span of an accepted mail says. */
export function acceptedMailSpan(id: string, cause: Cause) {
  return {
    ...{ cause, traceId: traceIdOf(id), name: 'accept mail' },
    attributes: { 'signalbox.mail.id': id },
    errorOf: () => 'refused',
  }
}

/** Returns the span that the header `traceparent` of a mail names. */
export function causeInHead(raw: Buffer): Cause {
  for (const header of headers(headerBlock(raw)))
    if (headerName(header) === 'traceparent')
      return { parent: fromTraceparent(header.toString('latin1', header.indexOf(':') + 1)) }
  return {}
}
