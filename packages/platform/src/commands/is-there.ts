import { statSync } from 'node:fs'

/**
 * Whether a file of the box is there.
 * @throws Error when that is not for this user to know: it would be wrong to say that there is nothing
 */
export function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    throw new Error(`${path} cannot be looked at: ${(error as Error).message}.`, { cause: error })
  }
}
