import { nearest } from '@signalbox/codec'
import { sources, triggerNames } from '../contract/index.ts'

const keys = ['otherwise', ...triggerNames, ...sources]

/** The key of a route table that is nearest to an unknown key. */
export function nearestKey(key: string): string | undefined {
  return nearest(key, keys)
}
