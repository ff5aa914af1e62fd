import { kindOf } from '@signalbox/codec'
import { InvalidOptionError, type Invocation, type InvocationContext } from '@signalbox/core'
import type { TriggerEvent } from '../contract/index.ts'
import { sourceOrNew } from '../contract/triggers/ready-source.ts'

/** Decrypts the `code` of a sender's event. */
export type Decrypt = (code: string) => string | Promise<string>

type AnyRoute = (event: TriggerEvent, context: InvocationContext, invocation: Invocation) => unknown

/**
 * Wraps a route of a sender, so that it gets the decrypted `code`. The route gets a copy of the event. In the event
 * itself, which goes back to the platform and its logs, the code remains encrypted.
 *
 * @throws InvalidOptionError for a `decrypt` that is not a function. The route throws the same error when
 * `decrypt` does not return a string
 */
export function withPlainCode(route: AnyRoute, decrypt: Decrypt): AnyRoute {
  if (typeof decrypt !== 'function') throw new InvalidOptionError('The option decrypt is not a function.')
  return function decrypting(event, context, invocation) {
    const request = event.request as { readonly code?: unknown }
    if (sourceOrNew(event.triggerSource)?.row.answer !== 'not read' || typeof request.code !== 'string') {
      return route(event, context, invocation)
    }
    const seen = (code: string) => {
      if (typeof code !== 'string') {
        throw new InvalidOptionError(
          `decrypt() must return the code as a string, and returned ${kindOfPlain(code)}.`,
        )
      }
      return route({ ...event, request: { ...request, code } } as TriggerEvent, context, invocation)
    }
    const plain = decrypt(request.code)
    return typeof plain === 'string' ? seen(plain) : Promise.resolve(plain).then(seen)
  }
}

// Describes what `decrypt` returned, without showing the code. Many key services return bytes.
function kindOfPlain(plain: unknown): string {
  return plain instanceof Uint8Array ? "bytes: use Buffer.from(…).toString('utf8')" : kindOf(plain)
}
