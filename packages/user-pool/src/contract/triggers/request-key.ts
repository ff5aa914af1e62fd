import type { KnownSource } from './source.ts'

/**
 * Returns the key of the codec for a request: the trigger, or the source if its request differs from the trigger's
 * request.
 */
export function requestKey({ source, trigger, row, request }: KnownSource): string {
  return request === row.request ? trigger : source
}
