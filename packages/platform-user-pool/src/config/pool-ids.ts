import { createHash } from 'node:crypto'
import type { Location } from '@signalbox/platform-runtime'

/**
 * The region in pool ids if the configured region does not look like an AWS region, because `aws-jwt-verify` accepts no
 * other form.
 */
const localRegion = 'xx-local-1'

/** Returns the default id of a pool. */
export function poolId(name: string, { region }: Location): string {
  const shaped = /^[a-z]{2}(-[a-z]+)+-\d$/.test(region) ? region : localRegion
  return `${shaped}_${derived(`pool ${name}`, 9, base62)}`
}

/** Returns the default id of a client. */
export function clientId(pool: string, name: string): string {
  return derived(`client ${pool} ${name}`, 26, base36)
}

const base36 = '0123456789abcdefghijklmnopqrstuvwxyz'
const base62 = `${base36}${base36.slice(10).toUpperCase()}`

function derived(text: string, length: number, letters: string): string {
  const digest = createHash('sha512').update(text).digest()
  return Array.from({ length }, (_, at) => letters[digest[at]! % letters.length]).join('')
}
