/** The command-line argument with which an instance is started. */
export interface InstanceSettings {
  readonly functionName: string
  /** The module, as a file URL. */
  readonly module: string
  readonly exportName: string
  /** The memory in bytes, on and off the heap, at which the instance ends itself. */
  readonly memoryLimit: number
  /** Whether the process was started with Node's inspector. */
  readonly inspect: boolean
}

export interface TaskHead {
  readonly requestId: string
  readonly context: { readonly [name: string]: unknown } | undefined
  /** Milliseconds after which the instance is killed. */
  readonly granted: number
  /** Whether the result may be a frame of the kind `long-text`. */
  readonly takesValue: boolean | undefined
  /** Whether the payload of an error contains its stack. */
  readonly takesTrace: boolean | undefined
}

/** The descriptors that an instance inherits in addition to the standard ones. */
export const descriptors = {
  /** Frames for the instance. */
  tasks: 3,
  /** Frames from the instance. They have their own descriptor, because writes to it block: see `sendFrame`. */
  messages: 4,
  /** Stays open while the platform runs. On it, the watchdog says that the memory is used up. */
  lifeline: 5,
} as const

/** The line that the watchdog writes before it ends an instance that has used up its memory. */
export const memoryUsedUp = 'memory'
