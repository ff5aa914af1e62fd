import { type LoadableFunction, loadFunctions } from '../invoker/load-functions.ts'

/** Finds functions that cannot be loaded. */
export interface FunctionCheck {
  /** Loads each function once. A call during the check repeats it. */
  readonly run: () => Promise<void>
  /** Ends the check before its next repetition. */
  readonly stop: () => void
  /** Returns descriptions of the functions that could not be loaded, by name. */
  readonly unloadable: () => ReadonlyMap<string, string>
}

/**
 * Creates a check of functions.
 * @param onChange is called with a sentence when a function cannot be loaded, or can be loaded again
 */
export function functionCheck(
  functions: readonly LoadableFunction[],
  onChange: (text: string) => void,
): FunctionCheck {
  let unloadable: ReadonlyMap<string, string> = new Map()
  let running: Promise<void> | undefined
  let hasChanged = false
  let stopped = false

  const check = async () => {
    try {
      while (hasChanged && !stopped) {
        hasChanged = false
        const before = unloadable
        unloadable = await loadFunctions(functions)
        for (const [name, text] of unloadable) if (before.get(name) !== text) onChange(text)
        for (const name of before.keys())
          if (!unloadable.has(name)) onChange(`The function ${name} can be loaded again.`)
      }
    } finally {
      running = undefined
    }
  }

  return {
    run() {
      hasChanged = true
      running ??= check()
      return running
    },
    stop() {
      stopped = true
    },
    unloadable: () => unloadable,
  }
}
