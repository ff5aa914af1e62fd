import type { KnownSource } from './source.ts'

/** What names the codec of a request: the trigger, or the source where its request differs from its trigger's. */
export function requestKey({ source, trigger, row, request }: KnownSource): string {
  return request === row.request ? trigger : source
}
