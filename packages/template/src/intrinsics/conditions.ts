import { isObject } from '@signalbox/codec'
import { wrongAt } from '../document/template-error.ts'
import { holds } from './evaluate.ts'
import type { Scope } from './scope.ts'

/** Returns a function that tells whether a condition of a template holds. Each is evaluated once, when it is needed. */
export function conditionsOf(declared: unknown, scope: () => Scope): Scope['condition'] {
  const found = new Map<string, boolean | 'open'>()
  return name => {
    if (!isObject(declared) || !Object.hasOwn(declared, name)) return undefined
    const place = ['Conditions', name]
    const known = found.get(name)
    if (known === 'open') throw wrongAt(place, 'a condition that does not depend on itself', 'a cycle')
    if (known !== undefined) return known
    found.set(name, 'open')
    try {
      const is = holds(declared[name], scope(), place)
      found.set(name, is)
      return is
    } finally {
      if (found.get(name) === 'open') found.delete(name)
    }
  }
}
