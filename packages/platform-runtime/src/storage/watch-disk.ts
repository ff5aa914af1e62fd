import type { Clock } from '@signalbox/core'
import { reserveOf, spaceOfDisk } from './disk-space.ts'
import { takeReserve } from './reserve-file.ts'

/** Milliseconds between two looks at the disk. */
const interval = 60_000

/**
 * Keeps the reserve file of a data directory while a platform runs: takes it, and takes it again after it was given up
 * and the disk has space again. Shows a notice when the disk becomes nearly full.
 * @returns a function that ends this
 */
export function watchDisk(
  folder: string,
  clock: Clock,
  notice: (text: string) => void,
  measure = spaceOfDisk,
): () => void {
  let isLow = false
  let problem = ''
  let cancel = () => {}
  const look = () => {
    const space = measure(folder)
    takeReserve(folder, space)
    const reserves = space.free / reserveOf(space)
    if (reserves < 2 && !isLow)
      notice(
        `The disk of ${folder} is nearly full: ${(space.free / 1_000_000).toFixed(0)} MB are free. First data of unknown clients is refused, then sign-ins, then everything that adds data. Deleting works.`,
      )
    // A disk whose free space varies a little gives one notice.
    isLow = reserves < (isLow ? 3 : 2)
  }
  const watch = () => {
    cancel = clock.after(interval, watch)
    try {
      look()
      problem = ''
    } catch (error) {
      // An exception in a timer would end the platform, such as one about a disk that became read-only.
      const { message } = error as Error
      if (message !== problem) notice(`The free space of ${folder} cannot be watched: ${message}`)
      problem = message
    }
  }
  watch()
  return () => cancel()
}
