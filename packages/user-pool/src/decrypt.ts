import { InvalidOptionError, type Invocation, type InvocationContext } from '@signalbox/core'
import { knownSource, type TriggerEvent } from './contract/index.ts'
import { kindOf } from './contract/kind-of.ts'

/** Turns the opaque `code` of a sender's event into plain text. */
export type Decrypt = (code: string) => string | Promise<string>

type AnyRoute = (event: TriggerEvent, context: InvocationContext, invocation: Invocation) => unknown

/**
 * A route that sees the plain text of `code`, for senders' events that have one. It gets a copy: the event itself
 * goes back to the platform, and into its logs, with the code as opaque as it came.
 *
 * @throws InvalidOptionError for a `decrypt` that is no function; the route, for one that gives no text
 */
export function withPlainCode(route: AnyRoute, decrypt: Decrypt): AnyRoute {
  if (typeof decrypt !== 'function') throw new InvalidOptionError('The option decrypt is not a function.')
  return function decrypting(event, context, invocation) {
    const request = event.request as { readonly code?: unknown }
    if (knownSource(event.triggerSource)?.row.answer !== 'not read' || typeof request.code !== 'string') {
      return route(event, context, invocation)
    }
    const seen = (code: string) => {
      if (typeof code !== 'string') {
        throw new InvalidOptionError(`decrypt() must give the code as a text, and gave ${given(code)}.`)
      }
      return route({ ...event, request: { ...request, code } } as TriggerEvent, context, invocation)
    }
    const plain = decrypt(request.code)
    return typeof plain === 'string' ? seen(plain) : Promise.resolve(plain).then(seen)
  }
}

// What key services give is bytes, and a code is in no message.
function given(plain: unknown): string {
  return plain instanceof Uint8Array ? "bytes: use Buffer.from(…).toString('utf8')" : kindOf(plain)
}
