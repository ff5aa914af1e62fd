import type { Clock } from '@signalbox/core'

/** New content for a mail, which a client has sent. */
interface ContentObject {
  readonly bytes: Buffer
  /** Milliseconds since the epoch. */
  readonly putAt: number
}

/** Names an object. Each client has objects of its own. */
export interface ObjectName {
  readonly owner: string
  readonly bucket: string
  readonly key: string
}

/** The contents that clients have sent, until they are put in the place of a mail's. They are in the memory of the platform. */
export interface ContentObjects {
  /** Keeps an object, in the place of an earlier one. Returns false if there is no room for it. */
  readonly put: (name: ObjectName, bytes: Buffer) => boolean
  readonly get: (name: ObjectName) => ContentObject | undefined
  readonly remove: (name: ObjectName) => void
  /** Deletes all objects. */
  readonly clear: () => void
}

/** The bounds of all objects together. */
export interface ObjectBounds {
  readonly count: number
  readonly bytes: number
  /** Milliseconds for which an object is kept. */
  readonly age: number
}

/**
 * Returns the bounds for mails of a maximum size. A function has fifteen seconds for the whole of its work, so that five
 * minutes are enough for any object.
 */
export function objectBounds(maxSize: number): ObjectBounds {
  return { count: 200, bytes: Math.max(64 * 1024 * 1024, 2 * maxSize), age: 5 * 60_000 }
}

export function contentObjects(bounds: ObjectBounds, clock: Clock): ContentObjects {
  // The oldest objects come first.
  const all = new Map<string, ContentObject & { readonly since: number }>()
  let total = 0

  const remove = (name: string) => {
    total -= all.get(name)?.bytes.length ?? 0
    all.delete(name)
  }
  let cancel: (() => void) | undefined
  const removeOld = () => {
    cancel?.()
    cancel = undefined
    for (const [name, { since }] of all) {
      const left = bounds.age - (clock.now() - since)
      if (left > 0) {
        // Without requests, nothing else would delete the object.
        cancel = clock.after(left, removeOld)
        return
      }
      remove(name)
    }
  }
  const nameOf = ({ owner, bucket, key }: ObjectName) => JSON.stringify([owner, bucket, key])

  return {
    put(objectName, bytes) {
      removeOld()
      const name = nameOf(objectName)
      const before = all.get(name)
      const [count, size] =
        before === undefined ? [all.size, total] : [all.size - 1, total - before.bytes.length]
      if (count >= bounds.count || size + bytes.length > bounds.bytes) return false
      remove(name)
      all.set(name, { bytes, putAt: clock.wall(), since: clock.now() })
      total += bytes.length
      removeOld()
      return true
    },
    get(objectName) {
      removeOld()
      return all.get(nameOf(objectName))
    },
    remove: objectName => remove(nameOf(objectName)),
    clear() {
      for (const name of all.keys()) remove(name)
      removeOld()
    },
  }
}
