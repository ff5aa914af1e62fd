import { siblingModule } from './sibling-module.ts'

// This file is directly in `src`, because the build moves its code into a file directly in `dist`.

/** The URL of the folder of this package's code. */
export const codeFolder = new URL('./', import.meta.url)

/** The program of an instance. */
export const instanceMain = siblingModule('invoker/instance/instance-main', import.meta.url)

/** The thread of an instance that stops it when it never yields. */
export const watchdogThread = siblingModule('invoker/instance/watchdog-thread', import.meta.url)
